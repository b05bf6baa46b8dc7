import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Changes, Home, HomeHost, Run } from "@/api/generated";
import { libraryRun, VERDICT } from "@/testing/libraryRuns";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { HomePage } from "./HomePage";

const HOST: HomeHost = { name: "bench-1", access: "server", online: true, drained: false, last_seen_at: "2026-11-20T10:00:00.000Z", queued_trials: 0, running_trials: 0 };
const PROGRESS = { total: 10, done: 3, failed: 0, running: 1, cancelled: 0, skipped: 0, eta_s: 90 } as Run["progress"];
const PRESET = { name: "quick-1", full_form: "study", form: "quick", study: "a-2019", title: "Proxy", summary: "s", definition: { name: "n" }, size: { cells: 2, seconds: 180 } };
const CHANGES: Changes = { since: "2026-11-19T10:00:00.000Z", done: 1, incomplete: 0, cancelled: 0, runs: [{ id: "run_9", title: "Nightly", state: "done", finished_at: "2026-11-20T09:00:00.000Z" }], exclusions: [{ run_id: "run_9", title: "Nightly", trial_id: "trl_1", reason: "a backup ran", by: "Ada", at: "2026-11-20T09:30:00.000Z" }], notes: [], hosts_new: [], histories: [], hosts_gone: [{ name: "bench-2", at: "2026-11-20T09:40:00.000Z" }] };

const run = (id: string, state: Run["state"], progress: Partial<Run["progress"]> = {}): Run => ({ id, experiment_id: "e", name: "n", title: `Title ${id}`, state, host: "bench-1", origin: "measured", progress: { ...PROGRESS, ...progress }, current: null, seed: 1, created_at: "2026-11-20T10:00:00Z", started_at: null, finished_at: null, cancel_requested: false });

let requests: SentRequest[];

function show(home: Home, role: "viewer" | "runner" = "runner") {
  requests = serve(({ path, method }) => {
    if (method === "POST") return new Response(null, { status: 204 });
    if (path.endsWith("/home")) return home;
    if (path.endsWith("/presets")) return { data: [PRESET] };
    return path.endsWith("/stars") ? { runs: [], experiments: [] } : undefined;
  });
  showAt("/", { "/": <HomePage /> }, undefined, sessionOf(role));
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("HomePage", () => {
  it("has one obvious first step while there is no run", async () => {
    show({ hosts: [], active: [], recent: [], changes: null });
    const step = within(await screen.findByRole("region", { name: /docker-proxy/ }));
    const link = await step.findByRole("link");
    expect(link.getAttribute("href")).toBe("/new?preset=quick-1");
    expect(link.getAttribute("data-kind")).toBe("primary");
    expect(document.querySelectorAll('[data-kind="primary"]')).toHaveLength(1);
    expect(screen.queryByText("Recent results")).toBeNull();
    expect(requests.some(({ path }) => path.includes("plan"))).toBe(false);
  });

  it("shows a viewer a plan in place of a start", async () => {
    show({ hosts: [HOST], active: [], recent: [], changes: null }, "viewer");
    expect(await screen.findByRole("link", { name: "See a plan" })).toBeTruthy();
  });

  it("shows what runs and waits, with the time left and that of the runs before", async () => {
    show({ hosts: [{ ...HOST, queued_trials: 19, running_trials: 1 }], active: [run("waiting", "queued", { done: 0, running: 0, eta_s: 600 }), run("now", "running")], recent: [], changes: null });
    const items = within((await screen.findByText("Title now")).closest("ol")!).getAllByRole("listitem");
    expect(items.map((item) => item.querySelector("a")?.textContent)).toEqual(["Title now", "Title waiting"]);
    expect(items[0]!.textContent).toContain("1 min 30 s left");
    expect(items[1]!.textContent).toContain("waits for about 1 min 30 s, then takes 10 min");
    expect(screen.getByText("3 trials of other teams run or wait")).toBeTruthy();
  });

  it("shows each result with its verdict, a picture, and the reason of excluded trials", async () => {
    show({ hosts: [HOST], active: [], recent: [libraryRun(2, { exclusions: [{ reason: "a backup ran", trials: 2 }] }), libraryRun(1, { verdict: null, verdict_due: true })], changes: null });
    const [first, second] = [(await screen.findByText("Run 2")).closest("li")!, screen.getByText("Run 1").closest("li")!];
    expect(first.textContent).toContain("Published port on 127.0.0.1, userland-proxy on: −38.3\u00a0% Throughput against bridge_ip (−40.2\u00a0% to −36.6\u00a0%) published_loopback");
    expect(first.textContent).toContain("1 worse");
    expect(first.textContent).toContain("2 trials excluded: a backup ran");
    expect(within(first).getByRole("img").getAttribute("aria-label")).toContain("1 cell");
    expect(second.textContent).toContain("The verdict is being computed.");
  });

  it("links the history of a measured experiment, and counts runs of the same one", async () => {
    const alike = { id: "run_8", title: "Nightly", state: "done" as const, finished_at: "2026-11-20T09:00:00.000Z", runs: 5 };
    show({ hosts: [HOST], active: [], recent: [libraryRun(2), libraryRun(1, { origin: "imported" })], changes: { ...CHANGES, done: 7, runs: [alike] } });
    const item = (await screen.findByText("Run 2")).closest("li")!;
    expect(within(item).getByRole("link", { name: "History of Run 2" }).getAttribute("href")).toMatch(/^\/experiments\/\w+\/history\?host=bench-1$/);
    expect(screen.queryByRole("link", { name: "History of Run 1" })).toBeNull();
    const changed = within(screen.getByText("Since your last visit").closest("section")!);
    expect(changed.getAllByRole("listitem")[0]!.textContent).toMatch(/^✓done Nightly, the newest of 5 runs/);
    expect(changed.getByText("and 2 further ended runs")).toBeTruthy();
  });

  it("does not count comparisons without a ratio as compared in the picture of a verdict", async () => {
    show({ hosts: [HOST], active: [], recent: [libraryRun(1, { verdict: { ...VERDICT, without_ratio: 2, reason: "the host disturbed every trial" } })], changes: null });
    const item = (await screen.findByText("Run 1")).closest("li")!;
    expect(within(item).getByRole("img").getAttribute("aria-label")).toBe("The ratio of 1 cell to its baseline, with its interval; 1 compared in all");
  });

  it("shows what changed in a history, with links to its series and to the first run after the change", async () => {
    const history = { experiment_id: "exp_1", title: "Nightly", host: "bench-1", cell_id: "c2", label: "Bridge, 8 clients", metric: "tps", metric_label: "transactions per second", basis: "ratios" as const, direction: "worse" as const, ratio: 0.7, run_id: "run_5", run_at: "2026-11-20T08:00:00.000Z", changes: 3, at: "2026-11-20T09:00:00.000Z" };
    const other = { ...history, experiment_id: "exp_2", title: "Weekly", label: "Host network", metric: "latency_p99_ms", metric_label: "latency p99", basis: "values" as const, direction: "better" as const, ratio: 0.8, changes: 1 };
    show({ hosts: [HOST], active: [], recent: [], changes: { ...CHANGES, runs: [], done: 0, exclusions: [], hosts_gone: [], histories: [history, other] } });
    const [first, second] = within((await screen.findByText("Since your last visit")).closest("section")!).getAllByRole("listitem");
    expect(first!.textContent).toMatch(/^▼worse History of Nightly on bench-1: Bridge, 8 clients: transactions per second, relative to its baseline, −30.0 %, since the run of .*2026.*; 2 more changes/);
    expect(within(first!).getByRole("link", { name: "History of Nightly" }).getAttribute("href")).toBe("/experiments/exp_1/history?host=bench-1&metric=tps&basis=ratios&cell=c2");
    expect(within(first!).getByRole("link", { name: /^the run of/ }).getAttribute("href")).toBe("/runs/run_5");
    expect(second!.textContent).toMatch(/^▲better History of Weekly on bench-1: Host network: latency p99 −20.0 %, since the run of/);
    expect(second!.textContent).not.toContain("more change");
    expect(screen.getByRole("button", { name: "Mark as seen" })).toBeTruthy();
  });

  it("shows the changes since the last visit once, and records the visit", async () => {
    show({ hosts: [HOST], active: [], recent: [libraryRun(1)], changes: CHANGES });
    const card = (await screen.findByText("Since your last visit")).closest("section")!;
    expect(card.textContent).toContain("Ada excluded a trial of Nightly: a backup ran");
    expect(card.textContent).toContain("bench-2 does not report any more");
    await waitFor(() => expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([{ all_seen: false }]));
    fireEvent.click(within(card).getByRole("button", { name: "Mark as seen" }));
    await waitFor(() => expect(requests.filter(({ method }) => method === "POST").at(-1)?.body).toEqual({ all_seen: true }));
    await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/home"))).toHaveLength(2));
  });

  it("keeps the studies where home cannot be read, and offers to try again", async () => {
    serve(({ path }) => (path.endsWith("/presets") ? { data: [PRESET] } : undefined));
    showAt("/", { "/": <HomePage /> }, undefined, sessionOf("runner"));
    expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
    expect(await screen.findByRole("link", { name: "Quick form: Proxy" })).toBeTruthy();
  });
});
