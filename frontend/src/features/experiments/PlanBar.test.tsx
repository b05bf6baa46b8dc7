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

const bar = () => screen.getByRole("group", { name: "Plan" });

describe("the plan", () => {
  it("says why it cannot start, and what starts", async () => {
    await planned();
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });
    const reason = () => document.getElementById(run.getAttribute("aria-describedby")!)?.textContent;
    await waitFor(() => expect(reason()).toMatch(/^Starts exactly this plan/));
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "11" } });
    expect([run.disabled, reason()?.trim()]).toEqual([true, "Cannot start yet: the plan is being made anew."]);
    const box = screen.getByLabelText("Add levels: clients");
    fireEvent.change(box, { target: { value: "0" } });
    fireEvent.blur(box);
    fireEvent.click(within(screen.getByRole("group", { name: "clients" })).getByRole("button", { name: "5" }));
    await waitFor(() => expect(reason()).toMatch(/^Cannot start: the server refuses the definition/));
  });

  it("says that there is no plan where the server fails", async () => {
    await planned();
    failing = ({ path }) => (path.endsWith("/plans") ? refusal(500, { title: "Broken", detail: "Broken", code: "internal" }) : undefined);
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "11" } });
    expect(await screen.findByText(/^Cannot start: there is no plan/)).toBeTruthy();
    expect(screen.getByText("earlier plan: there is no newer one")).toBeTruthy();
    expect(within(bar()).getByText("3 min")).toBeTruthy();
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

  it("draws each chosen path as its hops", async () => {
    await planned();
    const paths = screen.getByRole("list", { name: "Chosen paths" });
    expect(within(paths).getAllByRole("list", { name: "hops" })).toHaveLength(2);
  });

  it("keeps the last plan, marked, while a newer one is being made", async () => {
    await planned();
    await waitFor(() => expect(within(bar()).queryByText(/earlier plan/)).toBeNull());
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "11" } });
    expect(within(bar()).getByText("earlier plan, updating …")).toBeTruthy();
    expect(within(bar()).getByText("3 min")).toBeTruthy();
    await waitFor(() => expect(within(bar()).queryByText(/earlier plan/)).toBeNull());
  });

  it("says what it cannot answer, and one button makes it able to", async () => {
    const few = { id: "reasons:tooFewRounds", figures: { rounds: 8, n: 9, of: 8, able: 6, remedy: { id: "reasons:roundsEnough", figures: { n: 9 } } } };
    failing = (request) => {
      const body = request.body as { rounds: number } | undefined;
      if (!request.path.endsWith("/plans") || body?.rounds !== 8) return undefined;
      return Response.json({ ...(answer(request) as object), messages: { "Too few rounds.": few } });
    };
    await planned();
    fireEvent.change(screen.getByLabelText("Rounds"), { target: { value: "8" } });
    expect(await screen.findByText(/8 rounds decide 6 of 9/)).toBeTruthy();
    fireEvent.click(within(bar()).getByRole("button", { name: "Use 9" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ rounds: 9 }));
    await waitFor(() => expect(screen.queryByText(/8 rounds decide/)).toBeNull());
  });

  it("goes to the first refused field", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Thresholds, one per line"), { target: { value: "tps > 1\nbad" } });
    fireEvent.click(await screen.findByRole("button", { name: "Show the marked value" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Thresholds, one per line"));
  });

  it("has a link to it before the form", async () => {
    await planned();
    fireEvent.click(screen.getByRole("link", { name: "To the button that starts the run" }));
    expect(document.activeElement).toBe(bar());
  });
});
