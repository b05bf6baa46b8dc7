import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { streamRun, type RunListener } from "./streamRun";

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static made: FakeSource[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    FakeSource.made.push(this);
  }
  close() {
    this.readyState = 2;
  }
  emit(name: string, data: unknown, lastEventId = "") {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }
}

const listener = { run: vi.fn(), trial: vi.fn(), live: vi.fn(), phase: vi.fn(), status: vi.fn() } satisfies RunListener;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.made = [];
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue({ ok: true }));
  Object.values(listener).forEach((mock) => mock.mockReset());
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("streamRun", () => {
  it("passes events to the listener and closes after the terminal one", () => {
    streamRun("run_1", listener);
    const [source] = FakeSource.made;
    expect(source!.url).toBe("/api/v1/runs/run_1/events");
    source!.emit("trial", { trial_id: "trl_1" });
    source!.emit("live", { t: 1 });
    source!.emit("run", { state: "running" });
    expect(source!.readyState).toBe(1);
    source!.emit("run", { state: "done" });
    expect(source!.readyState).toBe(2);
    expect(listener.trial).toHaveBeenCalledWith({ trial_id: "trl_1" });
    expect(listener.live).toHaveBeenCalledWith({ t: 1 });
    expect(listener.run).toHaveBeenCalledTimes(2);
  });

  it("does not reopen a broken stream, which the browser resumes from the last event's id", () => {
    streamRun("run_1", listener);
    FakeSource.made[0]!.readyState = 0;
    FakeSource.made[0]!.dispatchEvent(new Event("error"));
    vi.advanceTimersByTime(5000);
    expect(listener.status).toHaveBeenLastCalledWith("lost");
    expect(FakeSource.made).toHaveLength(1);
  });

  it("starts after the last event of the loaded run, and resumes after the last one received", () => {
    streamRun("run_1", listener, 41);
    expect(FakeSource.made[0]!.url).toBe("/api/v1/runs/run_1/events?after=41");
    FakeSource.made[0]!.emit("trial", { trial_id: "trl_1" }, "42");
    FakeSource.made[0]!.emit("live", { t: 1 });
    FakeSource.made[0]!.readyState = 2;
    FakeSource.made[0]!.dispatchEvent(new Event("error"));
    vi.advanceTimersByTime(2000);
    expect(FakeSource.made[1]!.url).toBe("/api/v1/runs/run_1/events?after=42");
  });

  it("reopens a refused stream until it is stopped", () => {
    const stop = streamRun("run_1", listener);
    FakeSource.made[0]!.readyState = 2;
    FakeSource.made[0]!.dispatchEvent(new Event("error"));
    vi.advanceTimersByTime(2000);
    expect(FakeSource.made).toHaveLength(2);
    FakeSource.made[1]!.dispatchEvent(new Event("open"));
    expect(listener.status).toHaveBeenLastCalledWith("open");
    FakeSource.made[1]!.readyState = 2;
    FakeSource.made[1]!.dispatchEvent(new Event("error"));
    stop();
    vi.advanceTimersByTime(5000);
    expect(FakeSource.made).toHaveLength(2);
  });
});
