import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Run } from "@/api/generated";
import { CurrentFigures } from "./CurrentFigures";
import { MatrixStore } from "./matrixStore";
import type { Live } from "./patch";

afterEach(cleanup);

const LIVE: Live = { points: [{ trialId: "trl_1", cellId: "c1", t: 9, rate: 12_345 }], trialId: "trl_1", cellId: "c1", cores: { client: 0.71, server: 1.23, proxy: 0, other: 0.1 } };

function show(trialId: string | null) {
  const current = trialId === null ? null : { trial_id: trialId, cell_id: "c2", label: "Another path", round: 4, started_at: "2026-11-20T12:00:00Z" };
  render(<CurrentFigures run={{ state: "running", current } as Run} live={LIVE} phase={null} store={new MatrixStore()} cores={4} />);
  return document.body.textContent;
}

const CPU = /^CPU by role, cores of 4: client/;

it("shows the figures of the running trial beside its name", () => {
  expect(show("trl_1")).toContain("12,345");
  expect(screen.getByRole("img", { name: CPU }).getAttribute("aria-label")).toContain("server 1.23");
});

it.each([["the next trial", "trl_2"], ["no trial", null]])("shows no figure of an ended trial beside the name of %s", (_, trialId) => {
  const text = show(trialId);
  expect(text).not.toContain("12,345");
  expect(screen.getByRole("img", { name: CPU }).getAttribute("aria-label")).not.toContain("1.23");
  expect(screen.getByText("…")).toBeTruthy();
  expect(screen.getByRole("img", { name: "No live figure yet" })).toBeTruthy();
});
