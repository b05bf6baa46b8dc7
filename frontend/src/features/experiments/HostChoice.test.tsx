import type { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { queries } from "@/api/queries";
import { openYaml } from "@/testing/folds";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

const DOCUMENT: ExperimentDraft = { name: "two", title: "Two", factors: { path: ["same_container"], clients: [5] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"], margin: 0.05 };
const host = (name: string, more: object = {}) => ({ id: `hst_${name}`, name, online: true, last_seen_at: "", capabilities: {}, cannot: [], environment: {}, ...more });
const HOSTS = [host("bench-1"), host("bench-2", { labels: ["metal"], online: false }), host("bench-3", { labels: ["metal"], pause: { code: "drained" } }), host("bench-4"), host("bench-5", { access: "revoked", online: false })];
const CELL = { id: "c1", label: "same_container", levels: { path: "same_container" }, is_baseline: true, is_duplicate: false, baseline_id: null, infeasible: null };
const PLAN = { cells: [CELL], trials: [{ seq: 1, round: 1, position: 1, cell_id: "c1" }], estimate: { trials: 10, seconds: 200, window_seconds: 100, deployments: 1 }, varied: [], warnings: [] };

let sent: SentRequest[];
let refused: object | null;
let hosts: readonly object[];
let client: QueryClient;

beforeEach(() => {
  refused = null;
  hosts = HOSTS;
  sent = serve(({ path }) => {
    if (path.endsWith("/hosts")) return { data: hosts };
    if (path.endsWith("/experiments")) return { id: "exp_1" };
    if (path.endsWith("/runs")) return { id: "run_1" };
    if (path.endsWith("/run-groups")) return refused ? refusal(422, refused) : { id: "grp_1" };
    return { experiment: DOCUMENT, hops: {}, plan: PLAN };
  });
  client = showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} />, "/run-groups/:id": <p>the group’s page</p>, "/runs/:id": <p>the run’s page</p> });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function choose(value: string): Promise<void> {
  await screen.findByText("10 trials");
  fireEvent.change(await screen.findByRole("combobox", { name: "Host" }), { target: { value } });
}

async function start(name: string): Promise<void> {
  const button = screen.getByRole<HTMLButtonElement>("button", { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}

describe("the choice of hosts", () => {
  it("starts one run on each of several hosts, without drained ones", async () => {
    await choose("several:");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /^bench-3 \(drained/ }).checked).toBe(false);
    expect(screen.getByRole("checkbox", { name: /^bench-2 \(offline: its run waits\)/ })).toBeTruthy();
    expect(screen.queryByRole("checkbox", { name: /^bench-5/ }), "it left").toBeNull();
    expect(screen.getByText(/This is the plan of bench-1/)).toBeTruthy();
    await start("Run on 3 hosts");
    await screen.findByText("the group’s page");
    expect(sent.at(-1)).toMatchObject({ url: "/api/v1/experiments/exp_1/run-groups", body: { hosts: ["bench-1", "bench-2", "bench-4"] } });
    expect(sent.at(-1)?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is a part of the question, too", async () => {
    await screen.findByText("10 trials");
    const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "the same on several hosts" });
    fireEvent.click(box);
    expect(screen.getByRole("button", { name: "Run on 3 hosts" })).toBeTruthy();
    fireEvent.click(box);
    expect(screen.getByRole("button", { name: "Run on bench-1" })).toBeTruthy();
  });

  it("starts on no other host where the chosen one left or is offline", async () => {
    await screen.findByText("10 trials");
    hosts = HOSTS.map((each) => (each.name === "bench-1" ? { ...each, online: false } : each));
    await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    expect(await screen.findByText(/bench-1 is offline: the run is queued/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Run on bench-1" })).toBeTruthy();
    hosts = HOSTS.slice(1);
    await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    expect(await screen.findByText(/the chosen host left/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" }).disabled).toBe(true);
    await choose("host:bench-4");
    const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-4" });
    await waitFor(() => expect(run.disabled).toBe(false));
  });

  it("disables the start without a host, and shows the plan of one host again", async () => {
    await choose("several:");
    for (const name of ["bench-1", "bench-2", "bench-4"]) fireEvent.click(screen.getByRole("checkbox", { name: new RegExp(`^${name}`) }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run on 0 hosts" }).disabled).toBe(true);
    await choose("host:bench-2");
    expect(screen.getByRole("button", { name: "Run on bench-2" })).toBeTruthy();
    expect(screen.queryByRole("checkbox", { name: /^bench-1/ })).toBeNull();
  });

  it("starts on all hosts with a label, and shows why that was refused", async () => {
    refused = { title: "Not allowed", detail: "bench-3 is drained and starts no new trial", code: "invalid" };
    await choose("label:metal");
    await start("Run on 2 hosts");
    await screen.findByText(/bench-3 is drained/);
    expect(sent.at(-1)?.body).toEqual({ host_label: "metal" });
  });
});

describe("the choice of a client host", () => {
  const field = () => screen.findByRole<HTMLSelectElement>("combobox", { name: "Clients of remote paths run on" });
  const takePublishedRemote = async () => {
    await screen.findByText("10 trials");
    expect(screen.queryByRole("combobox", { name: "Clients of remote paths run on" })).toBeNull();
    fireEvent.change(openYaml(), { target: { value: openYaml().value.replace("path: [same_container]", "path: [same_container, published_remote]") } });
  };

  it("is there only for a path that takes one, and offers other hosts that are online", async () => {
    await takePublishedRemote();
    expect([...(await field()).options].map(({ value }) => value)).toEqual(["", "bench-4"]);
    await choose("host:bench-4");
    expect([...(await field()).options].map(({ value }) => value)).toEqual(["", "bench-1"]);
  });

  it("is part of the preview and of the start", async () => {
    await takePublishedRemote();
    fireEvent.change(await field(), { target: { value: "bench-4" } });
    await waitFor(() => expect(sent.some(({ url }) => url.includes("/plans?") && url.includes("host=bench-1&client_host=bench-4"))).toBe(true));
    await start("Run on bench-1");
    await screen.findByText("the run’s page");
    expect(sent.at(-1)).toMatchObject({ url: "/api/v1/experiments/exp_1/runs", body: { host: "bench-1", client_host: "bench-4" } });
  });

  it("is no host of the group itself", async () => {
    await takePublishedRemote();
    fireEvent.change(await field(), { target: { value: "bench-4" } });
    await choose("label:metal");
    expect((await field()).value).toBe("bench-4");
    await start("Run on 2 hosts");
    await screen.findByText("the group’s page");
    expect(sent.at(-1)?.body).toEqual({ host_label: "metal", client_host: "bench-4" });
  });
});
