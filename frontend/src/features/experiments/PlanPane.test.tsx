import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, DOCUMENT } from "@/testing/plans";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

let sent: SentRequest[];
let failing: (request: SentRequest) => Response | undefined;

beforeEach(() => {
  failing = () => undefined;
  sent = serve((request) => failing(request) ?? answer(request));
  showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} /> });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function planned(): Promise<void> {
  await screen.findByText("10 trials");
}

describe("the plan", () => {
  it("says why it cannot start, and what starts", async () => {
    await planned();
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });
    const reason = () => document.getElementById(run.getAttribute("aria-describedby")!)?.textContent;
    await waitFor(() => expect(reason()).toMatch(/^Starts exactly this plan/));
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "11" } });
    expect([run.disabled, reason()]).toEqual([true, "Cannot start yet: the plan is being made anew."]);
    fireEvent.change(screen.getByLabelText("clients"), { target: { value: "0" } });
    await waitFor(() => expect(reason()).toBe("Cannot start: the server refuses the definition."));
  });

  it("says that there is no plan where the server fails", async () => {
    await planned();
    failing = ({ path }) => (path.endsWith("/plans") ? refusal(500, { title: "Broken", detail: "Broken", code: "internal" }) : undefined);
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "11" } });
    expect(await screen.findByText("Cannot start: there is no plan.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("11");
  });

  it("is made anew where the server would start another one, and nothing starts", async () => {
    await planned();
    failing = ({ path }) => (path.endsWith("/runs") ? refusal(409, { title: "Conflict", detail: "changed", code: "plan_changed" }) : undefined);
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });
    await waitFor(() => expect(run.disabled).toBe(false));
    fireEvent.click(run);
    await screen.findByText(/^The plan has changed since it was shown/);
    await waitFor(() => expect(sent.at(-1)?.path).toMatch(/\/plans$/));
    await waitFor(() => expect(run.disabled).toBe(false));
  });

  it("goes to the plan at once by Ctrl+Enter", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Title"), { target: { value: "At once" } });
    fireEvent.keyDown(screen.getByLabelText("Title"), { key: "Enter", ctrlKey: true });
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Plan");
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ title: "At once" }));
  });

  it("shows the order of the trials by round, and whether it is an example", async () => {
    await planned();
    const order = screen.getByRole("region", { name: "Order of the trials" });
    expect(within(order).getAllByRole("row").map((row) => row.textContent)).toEqual(["Round1", "1c1", "2c1"]);
    expect(screen.getByText("By the definition’s seed 1.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Seed"), { target: { value: "" } });
    await screen.findByText(/each run draws its own order/);
  });

  it("draws each path as its hops", async () => {
    await planned();
    const paths = screen.getByRole("group", { name: /^path/ });
    expect(within(paths).getAllByRole("list", { name: "hops" })).toHaveLength(VOCABULARY.paths.length);
  });
});
