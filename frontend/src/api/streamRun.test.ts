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
  say(name: string, data: unknown, lastEventId = "") {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }
}

const listener = { run: vi.fn(), trial: vi.fn(), live: vi.fn(), status: vi.fn() } satisfies RunListener;

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
  it("hands events on and closes after the terminal one", () => {
    streamRun("run_1", listener);
    const [source] = FakeSource.made;
    expect(source!.url).toBe("/api/v1/runs/run_1/events");
    source!.say("trial", { trial_id: "trl_1" });
    source!.say("live", { t: 1 });
    source!.say("run", { state: "running" });
    expect(source!.readyState).toBe(1);
    source!.say("run", { state: "done" });
    expect(source!.readyState).toBe(2);
    expect(listener.trial).toHaveBeenCalledWith({ trial_id: "trl_1" });
    expect(listener.live).toHaveBeenCalledWith({ t: 1 });
    expect(listener.run).toHaveBeenCalledTimes(2);
  });

  it("leaves a broken stream to the browser, which resumes it by the last event's id", () => {
    streamRun("run_1", listener);
    FakeSource.made[0]!.readyState = 0;
    FakeSource.made[0]!.dispatchEvent(new Event("error"));
    vi.advanceTimersByTime(5000);
    expect(listener.status).toHaveBeenLastCalledWith("lost");
    expect(FakeSource.made).toHaveLength(1);
  });

  it("begins after what the run that was read shows, and resumes after the last event seen", () => {
    streamRun("run_1", listener, 41);
    expect(FakeSource.made[0]!.url).toBe("/api/v1/runs/run_1/events?after=41");
    FakeSource.made[0]!.say("trial", { trial_id: "trl_1" }, "42");
    FakeSource.made[0]!.say("live", { t: 1 });
    FakeSource.made[0]!.readyState = 2;
    FakeSource.made[0]!.dispatchEvent(new Event("error"));
    vi.advanceTimersByTime(2000);
    expect(FakeSource.made[1]!.url).toBe("/api/v1/runs/run_1/events?after=42");
  });

  it("opens a refused stream anew, until it is stopped", () => {
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
