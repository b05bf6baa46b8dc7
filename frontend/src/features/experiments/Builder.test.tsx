import type { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { queries } from "@/api/queries";
import { answer, DOCUMENT } from "@/testing/plans";
import { openYaml, unfold } from "@/testing/folds";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

let client: QueryClient;
let sent: SentRequest[];

beforeEach(() => {
  sent = serve(answer);
  client = showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} />, "/runs/:id": <p>the run’s page</p> });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function planned(): Promise<void> {
  await screen.findByText("10 trials");
}

/** The chip of a level in the row of a factor. */
function chip(factor: string, level: string): HTMLElement {
  const group = screen.getByRole("group", { name: factor });
  return within(group).getByRole("button", { name: level });
}

/** Types levels into the box of a factor. */
function add(factor: string, text: string): void {
  const box = screen.getByLabelText(`Add levels: ${factor}`);
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter" });
}

describe("Builder", () => {
  it("shows the size, duration and warnings of the plan, and the cell that cannot run with its reason", async () => {
    await planned();
    expect(screen.getByText("3 min 20 s")).toBeTruthy();
    expect(screen.getByText("Only one cell can run.")).toBeTruthy();
    unfold("Cells");
    expect(screen.getByText(/Cannot run here: the host has no bridge/)).toBeTruthy();
    expect(screen.getByText("docker-proxy")).toBeTruthy();
  });

  it("shows an error at the field of its pointer, and disables the start", async () => {
    await planned();
    add("clients", "0");
    fireEvent.click(chip("clients", "5"));
    const refused = await screen.findByText(/0 is not allowed; clients must be/);
    expect(refused.closest("[data-factor]")?.getAttribute("data-factor")).toBe("clients");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" }).disabled).toBe(true);
    expect(screen.getByLabelText("Rounds").getAttribute("aria-invalid")).toBe("false");
  });

  it("removes a path, and asks what is compared where others were compared with it", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "Remove same_container" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Everything was compared with path same_container");
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });
    expect(run.disabled).toBe(true);
    expect(screen.getByText(/choose what is compared/)).toBeTruthy();
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { path: ["published_loopback"] }, baseline: { path: "same_container" } }));
    fireEvent.click(screen.getByRole("button", { name: "Put it back" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { path: ["same_container", "published_loopback"] }, baseline: { path: "same_container" } }));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("asks a question, which sets what is compared", async () => {
    await planned();
    fireEvent.click(chip("userland-proxy", "off"));
    const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });
    expect(radio(/^each level of path/).checked).toBe(true);
    fireEvent.click(radio("docker-proxy on against off, on each path"));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ compare: "userland_proxy" }));
    fireEvent.click(radio("all with one cell"));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ baseline: { path: "same_container", userland_proxy: true } }));
    fireEvent.change(screen.getByLabelText("userland-proxy", { selector: "select" }), { target: { value: "1" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ baseline: { path: "same_container", userland_proxy: false } }));
  });

  it("shows the settings that apply to the load", async () => {
    await planned();
    expect(screen.getByLabelText("protocol", { selector: "[role=group]" })).toBeTruthy();
    expect(screen.queryByLabelText("gomaxprocs")).toBeNull();
    fireEvent.change(screen.getByLabelText("Tool and service"), { target: { value: "wrk pong" } });
    expect(screen.queryByLabelText("protocol", { selector: "[role=group]" })).toBeNull();
    expect(screen.getByLabelText("gomaxprocs")).toBeTruthy();
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { tool: ["wrk"], service: ["pong"] }, metrics: ["rps"] }));
  });

  it("shows the smallest difference with its spread, and the resources that the plan needs", async () => {
    await planned();
    const shown = screen.getByRole("region", { name: "What this plan can show" });
    expect(shown.textContent).toContain("With these rounds a difference of 4.1 % is shown with 80 % power.");
    expect(shown.textContent).toContain("24 A/A pairs of 3 runs on this host");
    expect(within(shown).getByRole("row", { name: "0.5 % more than 1,000" })).toBeTruthy();
    expect(screen.getByText(/up to 4 containers at a time, about 1\.3 GiB of memory/)).toBeTruthy();
  });

  it("writes the adaptive stopping rule into the document", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "Adaptive rounds" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ rounds: 10, stopping: { every: 4, at_most: 22 } }));
    fireEvent.change(screen.getByLabelText("At most"), { target: { value: "30" } });
    fireEvent.change(screen.getByLabelText("Budget (minutes)"), { target: { value: "45" } });
    await screen.findByText(/Interim analyses after rounds 10, 30/);
    expect(sent.at(-1)?.body).toMatchObject({ stopping: { at_most: 30, budget_minutes: 45 } });
    fireEvent.click(screen.getByRole("button", { name: "Fixed rounds" }));
    await waitFor(() => expect(sent.at(-1)?.body).not.toHaveProperty("stopping"));
  });

  it("requests a plan for the available time, and applies it", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Available time minutes"), { target: { value: "30" } });
    fireEvent.click(screen.getByRole("button", { name: "Find a plan" }));
    await screen.findByText("14 rounds fit into 30 minutes.");
    const budgeted = sent.filter(({ url }) => url.includes("budget_minutes"));
    expect(budgeted.map(({ query }) => query.get("budget_minutes"))).toEqual(["30"]);
    fireEvent.click(screen.getByRole("button", { name: "Use this plan" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ rounds: 6, stopping: { at_most: 26, budget_minutes: 30 } }));
  });

  it("requests that plan again after a change, but not for every key", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Available time minutes"), { target: { value: "30" } });
    fireEvent.click(screen.getByRole("button", { name: "Find a plan" }));
    await screen.findByText("14 rounds fit into 30 minutes.");
    const budgeted = () => sent.filter(({ url }) => url.includes("budget_minutes")).map(({ body }) => (body as ExperimentDraft).title);
    for (const title of ["T", "Th", "The"]) fireEvent.change(screen.getByLabelText("Title"), { target: { value: title } });
    await waitFor(() => expect(budgeted()).toContain("The"));
    expect(budgeted()).toEqual(["Two", "The"]);
  });

  it("proposes nothing while the text cannot be parsed", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Available time minutes"), { target: { value: "30" } });
    fireEvent.click(screen.getByRole("button", { name: "Find a plan" }));
    await screen.findByRole("button", { name: "Use this plan" });
    const editor = openYaml();
    const { value } = editor;
    fireEvent.change(editor, { target: { value: "factors: [" } });
    expect(screen.queryByRole("button", { name: "Use this plan" })).toBeNull();
    fireEvent.change(editor, { target: { value } });
    fireEvent.click(await screen.findByRole("button", { name: "Use this plan" }));
    await waitFor(() => expect(openYaml().value).toContain("at_most: 26"));
  });

  it("parses thresholds by line, and shows a refused one with its text", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Thresholds, one per line"), { target: { value: "tps > 1000\n\nbad" } });
    await screen.findByText(/“bad”: write METRIC OP NUMBER/);
    expect(sent.at(-1)?.body).toMatchObject({ thresholds: ["tps > 1000", "bad"] });
    fireEvent.change(screen.getByLabelText("Latency limit (ms)"), { target: { value: "5" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ latency_limit_ms: 5 }));
  });

  it("lists the rules that exclude cells, and removes one", async () => {
    await planned();
    const editor = openYaml();
    fireEvent.change(editor, { target: { value: `${editor.value}exclude:\n  - {path: [same_container], clients: [5]}\n` } });
    expect(screen.getByText("path same_container, with clients 5")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /^Remove the rule/ }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ exclude: [] }));
  });

  it("edits the same document as form and as YAML", async () => {
    await planned();
    const editor = openYaml();
    expect(editor.value).toContain("path: [same_container, published_loopback]");
    fireEvent.change(editor, { target: { value: editor.value.replace("clients: [5]", "clients: [7, 9]") } });
    expect(chip("clients", "9").getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(chip("clients", "9"));
    await waitFor(() => expect(openYaml().value).toContain("clients: [7]"));
    fireEvent.change(openYaml(), { target: { value: "factors: [" } });
    expect(screen.getByText(/Line \d+, column \d+/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" }).disabled).toBe(true);
  });

  it("has the request that starts the plan as a command", async () => {
    await planned();
    unfold("YAML, curl, Python");
    const code = screen.getByLabelText("Command for curl").textContent;
    expect(code).toContain("--request POST 'http://localhost:3000/api/v1/runs?host=bench-1'");
    expect(code).toContain('"title": "Two"');
    fireEvent.click(screen.getByRole("button", { name: "Python" }));
    expect(screen.getByLabelText("Program in Python").textContent).toContain("http://localhost:3000/api/v1/runs?host=bench-1");
  });

  it("offers the plan and no start to an account that only reads", async () => {
    await planned();
    client.setQueryData(queries.session().queryKey, { permissions: ["read"] } as never);
    await screen.findByText(/Starting runs needs the role runner/);
    expect(screen.queryByRole("button", { name: /^Run on/ })).toBeNull();
  });

  it("stores the document, starts the run with an idempotency key and opens its page", async () => {
    await planned();
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });
    await waitFor(() => expect(run.disabled).toBe(false));
    fireEvent.click(run);
    await screen.findByText("the run’s page");
    const [experiment, started] = sent.slice(-2);
    expect(experiment).toMatchObject({ url: "/api/v1/experiments", body: { name: "two" } });
    expect(started).toMatchObject({ url: "/api/v1/experiments/exp_1/runs", body: { host: "bench-1", plan_digest: "d".repeat(64) } });
    expect(started?.key).toMatch(/^[0-9a-f-]{36}$/);
  });
});
