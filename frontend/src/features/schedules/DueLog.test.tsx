import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ScheduleDue } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { DueLog } from "./DueLog";

const STARTED = {
  id: "due_1", due_at: "2026-11-20T02:00:00Z", at: "2026-11-20T02:00:01Z", outcome: "started", reason: null, detail: null, host: null, run_id: "run_1", group_id: null, late: false, times: 1, waits_until: null,
} as unknown as ScheduleDue;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("DueLog", () => {
  it("says until when a run waits that was started in the quiet hours of its host", async () => {
    serve(() => ({ data: [{ ...STARTED, waits_until: "2026-11-20T20:00:00Z" }, { ...STARTED, id: "due_0", due_at: "2026-11-19T02:00:00Z" }], next_cursor: null }));
    showAt("/", { "/": <DueLog scheduleId="sch_1" zone="UTC" /> });
    const waiting = await screen.findAllByText(/its first trial waits/);
    expect(waiting.map(({ textContent }) => textContent)).toEqual([" · its first trial waits for the host’s opening hours, Fri, Nov 20, 2026, 20:00 UTC"]);
    expect(screen.getAllByRole("link", { name: "the run" })[0]!.getAttribute("href")).toBe("/runs/run_1");
  });
});
