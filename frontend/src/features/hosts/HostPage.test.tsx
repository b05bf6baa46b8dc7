import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HostDetail } from "@/api/generated";
import { hostDetail, noiseOf } from "@/testing/hosts";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { VOCABULARY } from "@/testing/vocabulary";
import { HostPage } from "./HostPage";

const HOST = hostDetail();
const AWAY = { part: "redis", since: "2026-11-20T11:00:00Z", until: null, reason: "connection refused", effect: "live figures are missing; trials go on" } as const;
const BACK = { part: "database", since: "2026-11-20T10:00:00Z", until: "2026-11-20T10:02:00Z", reason: "it restarted", effect: "no trial was claimed" } as const;

function show(host: HostDetail) {
  serve(({ path }) => (path.endsWith("/hosts/bench-1") ? host : path.endsWith("/factors") ? VOCABULARY : undefined));
  showAt("/hosts/bench-1", { "/hosts/:host": <HostPage /> });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("HostPage", () => {
  it("lists the worker's conditions with since, reason and effect; past ones below", async () => {
    show({ ...HOST, conditions: [BACK, AWAY] });
    const items = within(await screen.findByRole("list", { name: "Conditions of the worker" })).getAllByRole("listitem");
    expect(items.map((item) => item.textContent)).toEqual([expect.stringMatching(/Redis.*since .*11.*connection refused.*live figures are missing/s), expect.stringMatching(/database.*from .*10.*to .*10:02.*it restarted/s)]);
  });

  it("shows no conditions where there are none, and an older worker's memory in the same unit", async () => {
    show(HOST);
    expect(await screen.findByText("7.8 GiB of memory")).toBeTruthy();
    expect(screen.queryByText("Conditions")).toBeNull();
  });

  it("says that an unknown host is not registered", async () => {
    serve(({ path }) => (path.endsWith("/factors") ? VOCABULARY : undefined));
    showAt("/hosts/nobody", { "/hosts/:host": <HostPage /> });
    expect(await screen.findByText("No host named “nobody” is registered.")).toBeTruthy();
  });

  it("names the running trial and the runs of the reader's teams, and counts those of others", async () => {
    const current = { started_at: "2026-11-20T12:00:00Z", run_id: "run_1", trial_id: "trl_1", title: "Two cells", label: "same container", round: 3 };
    const runs = [{ id: "run_1", title: "Two cells", state: "running" as const, team_id: "tem_1", team: "Kernel team", queued_trials: 5, running_trials: 1 }];
    show({ ...HOST, current, queue: { queued_trials: 9, running_trials: 1, runs, other_runs: 2 } });
    expect((await screen.findByText(/Now: same container, round 3/)).textContent).toContain("Two cells");
    expect(within(screen.getByLabelText("Runs in the queue")).getByText("Kernel team")).toBeTruthy();
    expect(screen.getByText("And 2 runs of other teams.")).toBeTruthy();
    expect(screen.getByText("9 trials queued, 1 running")).toBeTruthy();
  });

  it("does not name a trial of another team", async () => {
    show({ ...HOST, current: { started_at: "2026-11-20T12:00:00Z", run_id: null, trial_id: null, title: null, label: null, round: null } });
    expect(await screen.findByText(/A trial of another team runs since/)).toBeTruthy();
  });

  it("shows disk, clock, a release that is behind, and the noise with n and interval", async () => {
    const interval = { low: 0.012, high: 0.029 };
    const score = { spread: 0.018, interval, pairs: 42, runs: 3, sentence: "The rate of one trial varies by 1.8 % here." };
    show({
      ...HOST,
      disk: { total_bytes: 50e9, free_bytes: 12e9 },
      clock: { offset_s: -0.0123, uncertainty_s: 0.002 },
      release: { worker: "0.1.0", server: "0.2.0", state: "behind" },
      noise: noiseOf({ score, loads: [{ ...score, tool: "pgbench", service: "postgres", metric: "tps" }], repeated: { count: 3, n: 84, interval: { low: 0.012, high: 0.1 } }, waited_s: { n: 84, median: 0.25, interval: null } }),
    });
    expect(await screen.findByText("The rate of one trial varies by 1.8 % here.")).toBeTruthy();
    expect(within(screen.getByLabelText("Spread by load")).getByText("1.2 % to 2.9 %")).toBeTruthy();
    expect(screen.getByText("3 of 84 (95 %: 1.2 % to 10 %)")).toBeTruthy();
    expect(screen.getByText("12 GB free of 50 GB")).toBeTruthy();
    expect(screen.getByText(/12 ± 2 ms ahead of the server’s/)).toBeTruthy();
    expect(screen.getByText("0.1.0 (behind the server’s 0.2.0)")).toBeTruthy();
  });
});

describe("the host's network", () => {
  function showAs(isAdmin: boolean, open: boolean) {
    let host_network = open;
    const requests = serve(({ path, method, body }) => {
      if (method === "PATCH") host_network = (body as { host_network: boolean }).host_network;
      const host = { ...HOST, host_network };
      return method === "PATCH" ? host : path.endsWith("/hosts/bench-1") ? host : path.endsWith("/factors") ? VOCABULARY : undefined;
    });
    const account = { id: "acc_1", name: "Ada", email: null, installation_admin: isAdmin };
    showAt("/hosts/bench-1", { "/hosts/:host": <HostPage /> }, undefined, sessionOf("admin", { account }));
    return requests;
  }

  it("is closed at once and opened after a question, by administrators of the installation", async () => {
    Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
    const requests = showAs(true, true);
    fireEvent.click(await screen.findByRole("button", { name: "Close to runs" }));
    expect(await screen.findByText(/is refused at its start/)).toBeTruthy();
    fireEvent.click(await screen.findByRole("button", { name: "Open to runs" }));
    fireEvent.click(screen.getByRole("button", { name: "Open to runs of every team" }));
    expect(await screen.findByText("open to runs of every team")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "PATCH").map(({ path, body }) => [path, body])).toEqual([
      ["/api/v1/hosts/bench-1", { host_network: false }],
      ["/api/v1/hosts/bench-1", { host_network: true }],
    ]);
  });

  it("is shown to others without a button", async () => {
    showAs(false, false);
    expect(await screen.findByText("closed to runs")).toBeTruthy();
    expect(screen.getByText(/Only administrators of the installation change this/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
