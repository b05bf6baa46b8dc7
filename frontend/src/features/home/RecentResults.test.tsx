import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { libraryRun } from "@/testing/libraryRuns";
import { Still } from "@/testing/render";
import { RecentResults } from "./RecentResults";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("the age of a result grows while the page is open", () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T10:02:00.000Z") });
  render(<RecentResults runs={[libraryRun(1, { finished_at: "2026-11-20T10:00:00.000Z" })]} />, { wrapper: Still });
  expect(screen.getByText("2 min ago")).toBeTruthy();
  act(() => {
    vi.advanceTimersByTime(3 * 60_000);
  });
  expect(screen.getByText("5 min ago")).toBeTruthy();
});
