import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serveStreams, type ServedStream } from "@/testing/eventStream";
import { refusal } from "@/testing/server";
import { HEARTBEAT_MS, SILENT_MS, streamRun, type RunListener } from "./streamRun";

const listener = { run: vi.fn(), trial: vi.fn(), live: vi.fn(), phase: vi.fn(), status: vi.fn() } satisfies RunListener;
const KEEPALIVE = ": ping\n\n";

let streams: ServedStream[];
let refuse: ((url: string) => Response | undefined) | undefined;
let stop: () => void = () => undefined;

/** Lets `ms` pass, and everything be delivered. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const statuses = () => listener.status.mock.calls.map(([status]) => status as string);

async function begin(after?: number): Promise<ServedStream> {
  stop = streamRun("run_1", listener, after);
  await pass();
  return streams.at(-1)!;
}

function hide(value: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(value);
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  refuse = undefined;
  streams = serveStreams((url) => refuse?.(url));
  Object.values(listener).forEach((mock) => mock.mockReset());
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("streamRun", () => {
  it("passes events to the listener and ends after the terminal one", async () => {
    const stream = await begin();
    expect(stream.url).toBe("/api/v1/runs/run_1/events");
    stream.event("trial", { trial_id: "trl_1" });
    stream.event("live", { t: 1 });
    stream.event("run", { state: "running" });
    await pass();
    expect(stream.signal.aborted).toBe(false);
    stream.event("run", { state: "done" });
    await pass();
    expect(stream.signal.aborted).toBe(true);
    expect(listener.trial).toHaveBeenCalledWith({ trial_id: "trl_1" });
    expect(listener.live).toHaveBeenCalledWith({ t: 1 });
    expect(listener.run).toHaveBeenCalledTimes(2);
    await pass(10 * SILENT_MS);
    window.dispatchEvent(new Event("online"));
    expect(streams).toHaveLength(1);
    expect(statuses()).toEqual(["open"]);
  });

  it("reads events that arrive in parts, and lines that a proxy ended with CR LF", async () => {
    const stream = await begin();
    const text = 'event: trial\r\ndata: {"name":\r\ndata: "größe"}\r\nid: 7\r\n\r\n';
    for (const byte of new TextEncoder().encode(text)) stream.bytes(Uint8Array.of(byte));
    stream.event("trial", { name: "second" });
    await pass();
    expect(listener.trial.mock.calls).toEqual([[{ name: "größe" }], [{ name: "second" }]]);
    stream.end();
    await pass(2000);
    expect(streams[1]!.lastEventId).toBe("7");
  });

  it("starts after the last event of the loaded run, and resumes after the last one received", async () => {
    const stream = await begin(41);
    expect(stream.url).toBe("/api/v1/runs/run_1/events?after=41");
    expect(stream.lastEventId).toBeNull();
    stream.event("trial", { trial_id: "trl_1" }, "42");
    stream.event("live", { t: 1 });
    await pass();
    stream.lose();
    await pass();
    expect(statuses()).toEqual(["open", "lost"]);
    await pass(2000);
    expect(streams[1]!.lastEventId).toBe("42");
    expect(statuses()).toEqual(["open", "lost", "open"]);
  });

  it("opens a refused or ended stream again until it is stopped", async () => {
    refuse = () => refusal(503, {});
    await begin();
    await pass(2000);
    expect(streams).toHaveLength(2);
    refuse = undefined;
    await pass(2000);
    expect(statuses()).toEqual(["lost", "lost", "open"]);
    streams[2]!.end();
    await pass(2000);
    expect(streams).toHaveLength(4);
    streams[3]!.end();
    await pass();
    stop();
    await pass(5000);
    expect(streams).toHaveLength(4);
  });

  it.each([404, 410])("ends for ever after %i: the run was deleted", async (status) => {
    const stream = await begin();
    refuse = () => refusal(status, {});
    stream.end();
    await pass(2000);
    expect(statuses()).toEqual(["open", "lost", "deleted"]);
    await pass(10 * SILENT_MS);
    for (const name of ["online", "pageshow"]) window.dispatchEvent(new Event(name));
    hide(false);
    await pass();
    expect(streams).toHaveLength(2);
  });
});

describe("a connection that is half open", () => {
  it("is replaced after three heartbeats of silence", async () => {
    const stream = await begin(41);
    await pass(SILENT_MS + HEARTBEAT_MS);
    expect(stream.signal.aborted).toBe(true);
    expect(streams.map(({ url }) => url)).toEqual(Array(2).fill("/api/v1/runs/run_1/events?after=41"));
    expect(statuses()).toEqual(["open", "lost", "open"]);
  });

  it("is one that sends neither events nor heartbeats", async () => {
    const stream = await begin();
    for (let sent = 0; sent < 20; sent++) {
      await pass(HEARTBEAT_MS);
      stream.text(KEEPALIVE);
    }
    await pass();
    expect(streams).toHaveLength(1);
    expect(statuses()).toEqual(["open"]);
  });

  it("also while the answer does not begin", async () => {
    let requests = 0;
    vi.stubGlobal("fetch", (request: Request | string) => {
      if (typeof request === "string") return Promise.resolve(new Response()); // the probe of the server
      requests++;
      return new Promise(() => undefined);
    });
    stop = streamRun("run_1", listener);
    await pass(SILENT_MS + HEARTBEAT_MS);
    expect(requests).toBe(2);
  });

  it.each([
    ["the page is shown", () => hide(false)],
    ["the page is restored", () => window.dispatchEvent(new Event("pageshow"))],
  ])("is replaced at once when %s after a silence", async (_name, wake) => {
    const stream = await begin();
    wake();
    await pass();
    expect(streams).toHaveLength(1);
    // The computer slept: no timer ran.
    vi.setSystemTime(Date.now() + 600_000);
    wake();
    await pass();
    expect(stream.signal.aborted).toBe(true);
    expect(streams).toHaveLength(2);
    expect(statuses()).toEqual(["open", "lost", "open"]);
  });

  it("is not replaced when the page is hidden", async () => {
    await begin();
    vi.setSystemTime(Date.now() + 600_000);
    hide(true);
    await pass();
    expect(streams).toHaveLength(1);
  });

  it("is replaced when the computer is connected to a network again, also while a next try waits", async () => {
    await begin();
    window.dispatchEvent(new Event("online"));
    await pass();
    expect(streams).toHaveLength(2);
    streams[1]!.lose();
    await pass();
    window.dispatchEvent(new Event("online"));
    await pass();
    expect(streams).toHaveLength(3);
    await pass(5000);
    expect(streams).toHaveLength(3);
  });

  it("delivers nothing after it was replaced or stopped", async () => {
    const stream = await begin();
    window.dispatchEvent(new Event("online"));
    stream.event("live", { t: 1 });
    await pass();
    expect(listener.live).not.toHaveBeenCalled();
    stop();
    streams[1]!.event("live", { t: 2 });
    await pass();
    expect(listener.live).not.toHaveBeenCalled();
  });
});
