import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import type { Trial } from "@/api/generated";
import { chartModel } from "@/testing/chartModel";
import { TrialFeed } from "./TrialFeed";

const MODEL = chartModel("measured");

function trial(seq: number, state: Trial["state"], started = true): Trial {
  return {
    id: `trl_${seq}`, run_id: "r", cell_id: "c5", round: seq, position: 1, seq, state, failure_code: null, failure_detail: null, attempts: 0,
    started_at: started ? "2026-11-01T10:00:00Z" : null, finished_at: null, metrics: null, evidence_verdict: null,
  };
}

function show(trials: Trial[]) {
  render(
    <MemoryRouter>
      <TrialFeed runId="r" trials={trials} model={MODEL} />
    </MemoryRouter>,
  );
}

afterEach(cleanup);

describe("TrialFeed", () => {
  it("omits skipped trials and those cancelled before their start", () => {
    show([trial(1, "done"), trial(2, "running", false), trial(3, "spared", false), trial(4, "cancelled", false), trial(5, "queued", false)]);
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([expect.stringContaining("round 2"), expect.stringContaining("round 1")]);
  });

  it("lists a cancelled trial that was started", () => {
    show([trial(1, "done"), trial(2, "cancelled")]);
    expect(screen.getAllByRole("listitem")).toHaveLength(2);
  });

  it("lists the newest 200 of many, with a note", () => {
    show(Array.from({ length: 1000 }, (_, index) => trial(index + 1, "done")));
    expect(screen.getAllByRole("listitem")).toHaveLength(200);
    expect(screen.getAllByRole("listitem")[0]!.textContent).toContain("round 1000");
    expect(screen.getByText("The newest 200 of 1,000 started trials.")).toBeTruthy();
  });
});
