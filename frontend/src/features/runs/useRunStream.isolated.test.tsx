import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queries } from "@/api/queries";
import type { RunListener } from "@/api/streamRun";
import { PhaseLine } from "./CurrentFigures";
import { MatrixStore } from "./matrixStore";
import { RESULT_EVERY_MS, useRunStream } from "./useRunStream";

const MATRIX = new MatrixStore();
let listening: RunListener;
vi.mock(import("@/api/streamRun"), async (original) => ({
  ...(await original()),
  streamRun: (_: string, listener: RunListener) => {
    listening = listener;
    return () => undefined;
  },
}));

const results = vi.fn(() => Promise.resolve({ state: "running" }));

let setRead: (read: boolean) => void;

function Page() {
  const [read, set] = useState(true);
  useEffect(() => {
    setRead = set;
  }, []);
  const { phase } = useRunStream("r", true, MATRIX, read);
  useQuery({ queryKey: queries.result("r").queryKey, queryFn: results, staleTime: Infinity });
  return phase && <PhaseLine phase={phase} />;
}

/** Emits the end of a trial every `ms` for some seconds. */
async function trialsEnd(seconds: number, ms: number) {
  for (let at = 0; at < 1000 * seconds; at += ms) {
    listening.trial({ trial_id: `t${at}`, cell_id: "c", round: 1, state: "done", metrics: {}, failure_code: null });
    await act(() => vi.advanceTimersByTimeAsync(ms));
  }
}

const hidden = (value: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(value);
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(async () => {
  vi.useFakeTimers();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(100));
  results.mockClear();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("useRunStream", () => {
  it("shows why a trial waits or is repeated, until it is measured", () => {
    act(() => listening.phase({ trial_id: "t", cell_id: "c", phase: "waiting", reasons: ["steal: 9 % of the CPU, limit 5 %"] }));
    expect(screen.getByRole("status").textContent).toContain("Waits for a quiet host: steal: 9 % of the CPU, limit 5 %.");
    act(() => listening.phase({ trial_id: "t", cell_id: "c", phase: "repeating", reasons: ["steal: 9 %"] }));
    expect(screen.getByRole("status").textContent).toContain("it is measured again");
    act(() => listening.live({ trial_id: "t", cell_id: "c", t: 1, rate: 5, cores: null }));
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("requests the result every few seconds, not for each trial", async () => {
    await trialsEnd(60, 500);
    expect(results.mock.calls.length).toBeLessThanOrEqual(60_000 / RESULT_EVERY_MS);
    expect(results.mock.calls.length).toBeGreaterThanOrEqual(8);
    expect(RESULT_EVERY_MS).toBeGreaterThanOrEqual(5000);
  });

  it("requests nothing while the page is hidden, and the result once when it is visible again", async () => {
    hidden(true);
    await trialsEnd(60, 500);
    expect(results).not.toHaveBeenCalled();
    hidden(false);
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(results).toHaveBeenCalledTimes(1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(results).toHaveBeenCalledTimes(1);
  });

  it("requests nothing while the result is outside of the visible part, and once when it is in it again", async () => {
    act(() => setRead(false));
    await trialsEnd(60, 500);
    expect(results).not.toHaveBeenCalled();
    await act(async () => {
      setRead(true);
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(results).toHaveBeenCalledTimes(1);
  });
});
