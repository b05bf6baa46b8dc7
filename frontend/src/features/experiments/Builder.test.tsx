import type { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { queries } from "@/api/queries";
import { answer, DOCUMENT } from "@/testing/plans";
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

describe("Builder", () => {
  it("shows the size, duration and warnings of the plan, and the cell that cannot run with its reason", async () => {
    await planned();
    expect(screen.getByText("3 min 20 s")).toBeTruthy();
    expect(screen.getByText("Only one cell can run.")).toBeTruthy();
    expect(screen.getByText(/Cannot run here: the host has no bridge/)).toBeTruthy();
    expect(screen.getByText("docker-proxy")).toBeTruthy();
  });

  it("shows an error at the field of its pointer, and disables the start", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("clients"), { target: { value: "0" } });
    await screen.findByText(/0 is not allowed; clients must be/);
    expect(screen.getByLabelText("clients").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" }).disabled).toBe(true);
    expect(screen.getByLabelText("Rounds").getAttribute("aria-invalid")).toBe("false");
  });

  it("removes and adds levels by chips, and moves the baseline", async () => {
    await planned();
    const group = screen.getByRole("group", { name: /^path/ });
    fireEvent.click(within(group).getByRole("checkbox", { name: /same_container/ }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { path: ["published_loopback"] }, baseline: { path: "published_loopback" } }));
  });

  it("marks the paths that the host does not support, with the reason", async () => {
    await planned();
    expect(screen.getByRole("checkbox", { name: /macvlan.*no macvlan in the kernel/ })).toBeTruthy();
  });

  it("shows the factors that apply to the chosen levels, also of another tool", async () => {
    await planned();
    expect(screen.getByRole("group", { name: "protocol" })).toBeTruthy();
    expect(screen.queryByLabelText("gomaxprocs")).toBeNull();
    fireEvent.click(within(screen.getByRole("group", { name: "tool" })).getByRole("button", { name: "wrk" }));
    fireEvent.click(within(screen.getByRole("group", { name: "tool" })).getByRole("button", { name: "pgbench" }));
    expect(screen.queryByRole("group", { name: "protocol" })).toBeNull();
    expect(screen.getByLabelText("gomaxprocs")).toBeTruthy();
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { tool: ["wrk"], service: ["pong"] }, metrics: ["rps"] }));
  });

  it("parses free text, empty text as not set", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("server's cpuset"), { target: { value: "0,2-3 -" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { server_cpuset: ["0,2-3", ""] } }));
    expect(screen.getByText(", 1 set")).toBeTruthy();
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
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    const { value } = editor;
    fireEvent.change(editor, { target: { value: "factors: [" } });
    expect(screen.queryByRole("button", { name: "Use this plan" })).toBeNull();
    fireEvent.change(editor, { target: { value } });
    fireEvent.click(await screen.findByRole("button", { name: "Use this plan" }));
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" }).value).toContain("at_most: 26"));
  });

  it("parses thresholds by line, and shows a refused one with its text", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("Thresholds, one per line"), { target: { value: "tps > 1000\n\nbad" } });
    await screen.findByText(/“bad”: write METRIC OP NUMBER/);
    expect(sent.at(-1)?.body).toMatchObject({ thresholds: ["tps > 1000", "bad"] });
    fireEvent.change(screen.getByLabelText("Latency limit (ms)"), { target: { value: "5" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ latency_limit_ms: 5 }));
  });

  it("keeps the typed text of a sweep", async () => {
    await planned();
    fireEvent.change(screen.getByLabelText("clients"), { target: { value: "1..64*2" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: { from: 1, to: 64, times: 2 } } }));
    expect(screen.getByLabelText<HTMLInputElement>("clients", { selector: "input" }).value).toBe("1..64*2");
  });

  it("keeps rules and baseline while a number is typed, and shows errors at their field", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    const text = editor.value.replace("clients: [5]", "clients: [1, 8, 64]").replace("baseline:", "baseline:\n  clients: 64");
    fireEvent.change(editor, { target: { value: `${text}exclude:\n  - {path: [same_container], clients: [64]}\n` } });
    fireEvent.click(screen.getByRole("button", { name: "Form" }));
    const clients = screen.getByLabelText<HTMLInputElement>("clients", { selector: "input" });
    for (const typed of ["1, 8, 6", "1, 8, 64"]) fireEvent.change(clients, { target: { value: typed } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: [1, 8, 64] } }));
    expect(sent.at(-1)?.body).toMatchObject({ baseline: { clients: 64 }, exclude: [{ path: ["same_container"], clients: [64] }] });
  });

  it("shows values of YAML that are no levels", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    fireEvent.change(editor, { target: { value: editor.value.replace("clients: [5]", 'clients: {from: "1", to: 8, step: 1}').replace("path: [same_container, published_loopback]", "path: [same_container, {a: 1}]") } });
    fireEvent.click(screen.getByRole("button", { name: "Form" }));
    expect(screen.getByRole("checkbox", { name: /^\{"a":1\}/ })).toBeTruthy();
  });

  it("lists the rules that exclude cells, and removes one", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    fireEvent.change(editor, { target: { value: `${editor.value}exclude:\n  - {path: [same_container], clients: [5]}\n` } });
    fireEvent.click(screen.getByRole("button", { name: "Form" }));
    expect(screen.getByText("path same_container, with clients 5")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /^Remove the rule/ }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ exclude: [] }));
  });

  it("edits the same document as form and as YAML", async () => {
    await planned();
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    expect(editor.value).toContain("path: [same_container, published_loopback]");
    fireEvent.change(editor, { target: { value: editor.value.replace("clients: [5]", "clients: [7, 9]") } });
    fireEvent.click(screen.getByRole("button", { name: "Form" }));
    expect(screen.getByLabelText<HTMLInputElement>("clients", { selector: "input" }).value).toBe("7, 9");
    fireEvent.click(screen.getByRole("button", { name: "YAML" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Definition as YAML" }), { target: { value: "factors: [" } });
    expect(screen.getByText(/Line \d+, column \d+/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" }).disabled).toBe(true);
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
