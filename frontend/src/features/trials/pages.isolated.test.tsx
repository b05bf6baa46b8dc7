import { cleanup, screen } from "@testing-library/react";
import { useParams } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ImportedRecord, Trial, TrialDetail } from "@/api/generated";
import { imagesOf } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { RoundPage } from "./RoundPage";
import { TrialPage } from "./TrialPage";

const TRIAL: Trial = {
  id: "trl_2", run_id: "r", cell_id: "c5", round: 2, position: 1, seq: 4, state: "done", failure_code: null, failure_detail: null,
  attempts: 0, started_at: null, finished_at: null, metrics: { tps: 1000 }, evidence_verdict: null,
};
const RECORD: ImportedRecord = {
  origin: "imported", trial_id: "trl_2", tool: "pgbench", metrics: { tps: 1000, open_latency_p50_ms: 1.5, open_latency_p99_ms: 9, open_latency_max_ms: 30 },
  latency_measured: true, transactions: 60_000, failed_transactions: 0, versions: { pgbench: "15.14" }, warnings: [], stdout: "tps = 1000\n", stderr: "",
};

const CONTEXT = { run_title: "A run", cell_label: "published_loopback, proxy on", cell_levels: { tool: "pgbench" } };

function serveTrial(detail: Omit<TrialDetail, keyof typeof CONTEXT>): SentRequest[] {
  const trial: TrialDetail = { ...detail, ...CONTEXT };
  return serve(({ path }) => (path.endsWith("/trials") ? { data: [{ ...TRIAL, id: "trl_1", round: 1 }, TRIAL] } : trial));
}

function Landed() {
  return <p>trial {useParams().trialId}</p>;
}

function show(at: string, page: React.ReactNode) {
  showAt(at, { "/runs/:runId/cells/:cellId/rounds/:round": <RoundPage />, "/runs/:runId/trials/:trialId": page });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("RoundPage", () => {
  it("redirects to the trial of the cell and round", async () => {
    serveTrial({ ...TRIAL, record: null, imported: null, history: [] });
    show("/runs/r/cells/c5/rounds/2", <Landed />);
    expect(await screen.findByText("trial trl_2")).toBeTruthy();
  });

  it("shows a note where the cell has no such round", async () => {
    serveTrial({ ...TRIAL, record: null, imported: null, history: [] });
    show("/runs/r/cells/c5/rounds/9", <Landed />);
    expect(await screen.findByText("This cell has no trial in round 9.")).toBeTruthy();
  });
});

describe("TrialPage", () => {
  it("shows an imported trial with figures, percentiles and log, without CPU and evidence", async () => {
    serveTrial({ ...TRIAL, record: null, imported: RECORD, history: [] });
    show("/runs/r/trials/trl_2", <TrialPage />);
    expect(await screen.findByText(/Imported from a log of pgbench/)).toBeTruthy();
    expect(screen.getByText("1,000")).toBeTruthy();
    expect(screen.getByLabelText(/^Latency of transactions from their scheduled start: p50 1\.500 ms, p99 9\.000 ms, maximum 30\.000 ms/)).toBeTruthy();
    expect((await imagesOf("Latency by percentile"))["SVG"]).toBe("/api/v1/trials/trl_2/exports/svg?kind=percentiles&theme=light");
    expect(screen.getByLabelText("stdout").textContent).toContain("tps = 1000");
    expect(screen.queryByText("CPU time of the host")).toBeNull();
    expect(screen.queryByText("Evidence of the path")).toBeNull();
  });

  it("has a title without loading the result of the run", async () => {
    const requests = serveTrial({ ...TRIAL, record: null, imported: RECORD, history: [] });
    show("/runs/r/trials/trl_2", <TrialPage />);
    expect(await screen.findByRole("heading", { level: 1, name: "Round 2, published_loopback, proxy on" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "A run" })).toBeTruthy();
    expect(requests.map(({ url }) => url)).toEqual(["/api/v1/trials/trl_2"]);
  });

  it("states why a skipped trial has no record", async () => {
    serveTrial({ ...TRIAL, state: "spared", record: null, imported: null, history: [] });
    show("/runs/r/trials/trl_2", <TrialPage />);
    expect(await screen.findByText(/decided at an earlier interim analysis/)).toBeTruthy();
  });
});
