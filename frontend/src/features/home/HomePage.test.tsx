import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ActiveRun, Changes, Home, HomeHost, HomeQuestion, HomeRun } from "@/api/generated";
import { libraryRun, VERDICT } from "@/testing/libraryRuns";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { HomePage } from "./HomePage";

const HOST: HomeHost = { name: "bench-1", access: "server", online: true, drained: false, last_seen_at: "2026-11-20T10:00:00.000Z", queued_trials: 0, running_trials: 0 };
const PROGRESS = { total: 10, done: 3, failed: 0, running: 1, cancelled: 0, skipped: 0, eta_s: 90 } as ActiveRun["progress"];
const PRESET = { name: "quick-1", full_form: "study", form: "quick", study: "a-2019", title: "Proxy, quick form", question: "What does docker-proxy cost?", summary: "s", definition: { name: "n" }, size: { cells: 2, seconds: 180 } };
const CHANGES: Changes = { since: "2026-11-19T10:00:00.000Z", done: 1, incomplete: 0, cancelled: 0, runs: [{ id: "run_9", title: "Nightly", state: "done", finished_at: "2026-11-20T09:00:00.000Z" }], exclusions: [{ run_id: "run_9", title: "Nightly", trial_id: "trl_1", reason: "a backup ran", by: "Ada", at: "2026-11-20T09:30:00.000Z" }], notes: [], hosts_new: [], histories: [], hosts_gone: [{ name: "bench-2", at: "2026-11-20T09:40:00.000Z" }] };
const LOST = { ...VERDICT, kind: "undecided" as const, answered: false, largest: null, compared: 9, lost: 3, without_ratio: 1, cells: [] };
const EMPTY: Home = { hosts: [HOST], active: [], open_runs: 0, recent: [], host: "bench-1", questions: [], changes: null };

const run = (id: string, state: ActiveRun["state"], progress: Partial<ActiveRun["progress"]> = {}): ActiveRun => ({ id, experiment_id: "e", name: "n", title: `Title ${id}`, state, host: "bench-1", origin: "measured", author: "Ada", progress: { ...PROGRESS, ...progress }, current: null, seed: 1, created_at: "2026-11-20T10:00:00Z", started_at: null, finished_at: null, cancel_requested: false });
const answer = (number: number, changes: Partial<HomeRun> = {}): HomeRun => ({ ...libraryRun(number), lost_trials: 0, ...changes });
const lost = (number: number): HomeRun => answer(number, { title: `Lost ${number}`, verdict: LOST, lost_trials: 4 });
const questionOf = (changes: Partial<HomeQuestion>): HomeQuestion => ({ preset: "study", answer: null, without_answer: null, active: null, ...changes });

let requests: SentRequest[];

function show(home: Partial<Home>, role: "viewer" | "runner" = "runner", posts: (request: SentRequest) => unknown = () => new Response(null, { status: 204 })) {
  requests = serve((request) => {
    if (request.method === "POST") return posts(request);
    if (request.path.endsWith("/home")) return { ...EMPTY, ...home };
    if (request.path.endsWith("/matrix")) return { run_id: "run_2", state: "done", origin: "measured", last_event_id: 1, rounds: 2, newest: [], cells: [{ id: "c1", states: "dd" }, { id: "c2", states: "dc" }, { id: "c2-aa", states: "df" }] };
    return request.path.endsWith("/presets") ? { data: [PRESET], studies: [] } : undefined;
  });
  showAt("/", { "/": <HomePage />, "/runs/:runId": <p>Run page</p> }, undefined, sessionOf(role));
}

const card = async () => within((await screen.findByRole("heading", { name: PRESET.question })).closest("li")!);
const latest = async () => within((await screen.findByText("Latest answers")).closest("section")!);
const read = () => requests.filter(({ method }) => method === "GET").map(({ path }) => path);
const sent = (end: string) => requests.find(({ path, method }) => method === "POST" && path.endsWith(end));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("HomePage", () => {
  it("has one obvious first step while there is no run", async () => {
    show({ hosts: [], host: null });
    const step = within(await screen.findByRole("region", { name: /docker-proxy/ }));
    const link = await step.findByRole("link");
    expect(link.getAttribute("href")).toBe("/new?preset=quick-1");
    expect(document.querySelectorAll('[data-kind="primary"]')).toHaveLength(1);
    expect(screen.queryByText("Latest answers")).toBeNull();
    expect((await card()).queryByRole("button")).toBeNull();
  });

  it("asks what each path costs on a host, in two requests", async () => {
    show({ recent: [answer(1)], questions: [questionOf({ answer: answer(1) })] });
    expect(await screen.findByRole("heading", { level: 1, name: "What does each path cost on bench-1?" })).toBeTruthy();
    await card();
    expect(read().sort()).toEqual(["/api/v1/home", "/api/v1/presets"]);
  });

  it("shows the last answer of a question in one figure, with the word of its outcome", async () => {
    show({ recent: [answer(1)], questions: [questionOf({ answer: answer(1) })] });
    const found = await card();
    expect((await found.findByRole("link", { name: "−38\u00a0%" })).getAttribute("href")).toBe("/runs/run_1");
    expect(found.getByText("Published port on 127.0.0.1, userland-proxy on")).toBeTruthy();
    expect(found.getByText("worse")).toBeTruthy();
  });

  it("shows a newer run without an answer beside the answer, and measures its lost trials on one press", async () => {
    const posts = ({ path }: SentRequest) => (path.endsWith(":preview-extension") ? { rounds_needed: 8 } : path.endsWith("/visits") ? new Response(null, { status: 204 }) : { id: "run_new" });
    show({ recent: [lost(2), answer(1)], questions: [questionOf({ answer: answer(1), without_answer: lost(2) })] }, "runner", posts);
    const found = await card();
    expect(await found.findByText("−38 %")).toBeTruthy();
    expect(found.getByRole("link", { name: "3 of 9 comparisons lost" }).getAttribute("href")).toBe("/runs/run_2");
    expect(found.getByText("no answer")).toBeTruthy();
    fireEvent.click(found.getByRole("button", { name: "Measure the lost trials of Lost 2" }));
    expect(await screen.findByText("Run page")).toBeTruthy();
    const body = requests.find(({ path }) => path.endsWith(":extend"))?.body;
    expect(body).toEqual({ cells: ["c2"], rounds: 8 });
  });

  it("starts the quick form on the chosen host on one press", async () => {
    const posts = ({ path }: SentRequest) => (path.endsWith("/visits") ? new Response(null, { status: 204 }) : { id: path.endsWith("/experiments") ? "exp_1" : "run_7" });
    show({ recent: [answer(1)] }, "runner", posts);
    fireEvent.click(await (await card()).findByRole("button", { name: /^Run on bench-1, about 3 min/ }));
    expect(await screen.findByText("Run page")).toBeTruthy();
    expect(sent("/experiments")?.body).toEqual(PRESET.definition);
    expect(sent("/experiments/exp_1/runs")?.body).toEqual({ host: "bench-1" });
  });

  it("shows why a run was not started", async () => {
    const posts = ({ path }: SentRequest) => (path.endsWith("/visits") ? new Response(null, { status: 204 }) : refusal(409, { title: "Conflict", detail: "the team has no quota left", code: "quota" }));
    show({ recent: [answer(1)] }, "runner", posts);
    const found = await card();
    fireEvent.click(await found.findByRole("button", { name: /^Run on/ }));
    expect((await found.findByRole("alert")).textContent).toContain("the team has no quota left");
  });

  it("offers a viewer the plan, and nothing that starts a run", async () => {
    show({ recent: [lost(2)], questions: [questionOf({ without_answer: lost(2) })] }, "viewer");
    const found = await card();
    expect((await found.findByRole("link", { name: `See the plan: ${PRESET.question}` })).getAttribute("href")).toBe("/new?preset=quick-1");
    expect(screen.queryByRole("button", { name: /^Run on|^Measure/ })).toBeNull();
  });

  it("links a question whose run is under way, and asks of another host", async () => {
    const other = { ...HOST, name: "bench-2", online: false };
    show({ hosts: [HOST, other], recent: [answer(1)], questions: [questionOf({ active: "run_5" })] });
    expect((await (await card()).findByRole("link", { name: "Runs or waits now" })).getAttribute("href")).toBe("/runs/run_5");
    fireEvent.change(screen.getByRole("combobox", { name: "Host" }), { target: { value: "bench-2" } });
    await waitFor(() => expect(requests.some(({ url }) => url.endsWith("/home?host=bench-2"))).toBe(true));
    expect(localStorage.getItem("plimsoll home host")).toBe("bench-2");
  });

  it("shows what runs in one strip: progress, who, and how many more", async () => {
    const active = [run("waiting", "queued", { done: 0, running: 0, eta_s: 600 }), run("now", "running"), ...Array.from({ length: 48 }, (_, index) => run(`more${index}`, "queued"))];
    show({ hosts: [{ ...HOST, queued_trials: 600, running_trials: 1 }], active, open_runs: 200 });
    const items = within((await screen.findByText("Title now")).closest("ol")!).getAllByRole("listitem");
    expect(items.map((item) => item.querySelector("a")?.textContent)).toEqual(["Title now", "Title waiting", "Title more0"]);
    expect(items[0]!.textContent).toContain("1 min 30 s left");
    expect(items[0]!.textContent).toContain("Ada");
    expect(within(items[0]!).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("3");
    expect(screen.getByRole("link", { name: "197 more run or wait" }).getAttribute("href")).toBe("/library?q=is:active");
    expect(screen.getByText(/trials of other teams run or wait/)).toBeTruthy();
  });

  it("shows the latest answers as rows on one axis, and a run without an answer as such", async () => {
    const equal = answer(3, { title: "Same", verdict: { ...VERDICT, kind: "equivalent", largest: null } });
    const due = answer(4, { title: "Due", verdict: null, verdict_due: true });
    show({ recent: [answer(1, { exclusions: [{ reason: "a backup ran", trials: 2 }] }), lost(2), equal, due] });
    const [worse, void_, same, waiting] = (await latest()).getAllByRole("listitem");
    expect(worse!.textContent).toContain("−38\u00a0% (−40.2\u00a0% to −36.6\u00a0%)");
    expect(worse!.textContent).toContain("worse");
    expect(worse!.textContent).toContain("2 trials excluded: a backup ran");
    expect(void_!.textContent).toContain("3 of 9 comparisons lost");
    expect(void_!.textContent).toContain("no answer");
    expect(within(void_!).getByRole("button", { name: "Measure the lost trials of Lost 2" })).toBeTruthy();
    expect(same!.textContent).toContain("within 5\u00a0%");
    expect(same!.textContent).toContain("equal");
    expect(waiting!.textContent).toContain("The verdict is being computed.");
    expect((await latest()).getByText("Times the compared cell")).toBeTruthy();
  });

  it("shows few rows, and the others on request", async () => {
    show({ recent: Array.from({ length: 12 }, (_, number) => answer(number)) });
    expect((await latest()).getAllByRole("listitem")).toHaveLength(6);
    fireEvent.click((await latest()).getByRole("button", { name: "Show 6 more" }));
    expect((await latest()).getAllByRole("listitem")).toHaveLength(12);
  });

  it("shows a change from zero in the unit of its metric", async () => {
    const difference = { value: 1096, interval: { low: 900, high: 1200 }, unit: "segments" };
    const largest = { ...VERDICT.largest!, ratio: null, low: null, high: null, difference };
    show({ recent: [answer(1, { verdict: { ...VERDICT, largest, cells: [largest] } })] });
    const [row] = (await latest()).getAllByRole("listitem");
    expect(row!.textContent).toContain("+1,096 segments (+900 segments to +1,200 segments)");
  });

  it("says when the chosen host is away or drained", async () => {
    show({ hosts: [{ ...HOST, online: false, drained: true }], recent: [answer(1)] });
    expect((await screen.findByText(/Unavailable since/)).closest("p")!.textContent).toContain("Drained");
  });

  it("shows what changed in a history, with links to its series and to the first run after the change", async () => {
    const history = { experiment_id: "exp_1", title: "Nightly", host: "bench-1", cell_id: "c2", label: "Bridge, 8 clients", metric: "tps", metric_label: "transactions per second", basis: "ratios" as const, direction: "worse" as const, ratio: 0.7, run_id: "run_5", run_at: "2026-11-20T08:00:00.000Z", changes: 3, at: "2026-11-20T09:00:00.000Z" };
    const difference = { value: 910, interval: { low: 880, high: 930 }, unit: "segments" };
    const other = { ...history, experiment_id: "exp_2", title: "Weekly", label: "Host network", metric: "retransmits", metric_label: "Retransmits", basis: "values" as const, direction: "worse" as const, ratio: null, difference, changes: 1 };
    show({ changes: { ...CHANGES, runs: [], done: 0, exclusions: [], hosts_gone: [], histories: [history, other] } });
    const [first, second] = within((await screen.findByText("Since your last visit")).closest("section")!).getAllByRole("listitem");
    expect(first!.textContent).toMatch(/^▼worse History of Nightly on bench-1: Bridge, 8 clients: transactions per second, relative to its baseline, −30.0 %, since the run of .*2026.*; 2 more changes/);
    expect(within(first!).getByRole("link", { name: "History of Nightly" }).getAttribute("href")).toBe("/experiments/exp_1/history?host=bench-1&metric=tps&basis=ratios&cell=c2");
    expect(within(first!).getByRole("link", { name: /^the run of/ }).getAttribute("href")).toBe("/runs/run_5");
    expect(second!.textContent).toMatch(/^▼worse History of Weekly on bench-1: Host network: Retransmits \+910 segments, since the run of/);
    expect(second!.textContent).not.toContain("more change");
  });

  it("shows the changes since the last visit once, and records the visit", async () => {
    show({ recent: [answer(1)], changes: CHANGES });
    const changed = (await screen.findByText("Since your last visit")).closest("section")!;
    expect(changed.textContent).toContain("Ada excluded a trial of Nightly: a backup ran");
    expect(changed.textContent).toContain("bench-2 does not report any more");
    const visits = () => requests.filter(({ method }) => method === "POST").map(({ body }) => body);
    await waitFor(() => expect(visits()).toEqual([{ all_seen: false }]));
    fireEvent.click(within(changed).getByRole("button", { name: "Mark as seen" }));
    await waitFor(() => expect(visits().at(-1)).toEqual({ all_seen: true }));
    await waitFor(() => expect(read().filter((path) => path.endsWith("/home"))).toHaveLength(2));
  });

  it("counts runs of one experiment, and shows few changes at first", async () => {
    const alike = { id: "run_8", title: "Nightly", state: "done" as const, finished_at: "2026-11-20T09:00:00.000Z", runs: 5 };
    const gone = Array.from({ length: 6 }, (_, number) => ({ name: `gone-${number}`, at: "2026-11-20T09:40:00.000Z" }));
    show({ recent: [answer(1)], changes: { ...CHANGES, done: 7, runs: [alike], exclusions: [], hosts_gone: gone } });
    const changed = within((await screen.findByText("Since your last visit")).closest("section")!);
    expect(changed.getAllByRole("listitem")[0]!.textContent).toMatch(/^✓done Nightly, the newest of 5 runs/);
    expect(changed.getAllByRole("listitem")).toHaveLength(3);
    fireEvent.click(changed.getByRole("button", { name: "Show 4 more" }));
    expect(changed.getByText("and 2 further ended runs")).toBeTruthy();
  });

  it("keeps the questions where home cannot be read, and offers to try again", async () => {
    serve(({ path }) => (path.endsWith("/presets") ? { data: [PRESET], studies: [] } : undefined));
    showAt("/", { "/": <HomePage /> }, undefined, sessionOf("runner"));
    expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
    expect(await screen.findByRole("link", { name: PRESET.question })).toBeTruthy();
  });
});
