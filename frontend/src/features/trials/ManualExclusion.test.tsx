import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { TrialDetail } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { TrialPage } from "./TrialPage";

const TRIAL: TrialDetail = {
  id: "trl_2", run_id: "r", cell_id: "c5", round: 2, position: 1, seq: 4, state: "done", failure_code: null, failure_detail: null,
  attempts: 1, started_at: null, finished_at: null, metrics: { tps: 1000 }, evidence_verdict: null,
  run_title: "A run", cell_label: "published_loopback", cell_levels: { tool: "pgbench" }, record: null, imported: null, history: [],
};

/** Serves one trial that can be excluded and included. */
function serveTrial(state: TrialDetail["state"] = "done") {
  let trial: TrialDetail = { ...TRIAL, state, exclusions: [] };
  return serve(({ path, method, body }) => {
    if (path.endsWith("/exclusion")) {
      const reason = method === "PUT" ? (body as { reason: string }).reason : null;
      const entry = { action: reason === null ? ("included" as const) : ("excluded" as const), reason, by: "ada", at: `2026-11-22T10:00:0${trial.exclusions?.length ?? 0}.000Z` };
      trial = { ...trial, excluded: reason, exclusions: [...(trial.exclusions ?? []), entry] };
    }
    return trial;
  });
}

function show() {
  showAt("/runs/r/trials/trl_2", { "/runs/:runId/trials/:trialId": <TrialPage /> });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("ManualExclusion", () => {
  it("excludes a trial for a reason only, marks it, and includes it again", async () => {
    serveTrial();
    show();
    const button = await screen.findByRole("button", { name: "Exclude this trial" });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "a backup ran" } });
    fireEvent.click(button);
    expect(await screen.findByText("Excluded by hand from all statistics.")).toBeTruthy();
    expect(screen.getByText("a backup ran")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Include again" }));
    expect(await screen.findByRole("button", { name: "Exclude this trial" })).toBeTruthy();
    await waitFor(() => expect(screen.getByLabelText("Earlier changes").children).toHaveLength(2));
    expect(screen.getByLabelText("Earlier changes").textContent).toContain("excluded by ada: a backup ran");
    expect(screen.queryByText("Excluded by hand from all statistics.")).toBeNull();
  });

  it("is not offered for a trial without a result", async () => {
    serveTrial("failed");
    show();
    expect(await screen.findByText(/failed before it could be recorded/)).toBeTruthy();
    expect(screen.queryByLabelText("Reason")).toBeNull();
  });
});
