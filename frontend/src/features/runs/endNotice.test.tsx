import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "@/api/generated";
import { EndNotice } from "./EndNotice";
import { ANSWER_WITHIN_MS, useEndNotice } from "./useEndNotice";

const RUNNING = { id: "r", title: "A run", state: "running" } as Run;
const ENDED = { ...RUNNING, state: "done" } as Run;
const ANSWER = "docker-proxy costs 40 % of the throughput";
const shown: { title: string; body: string | undefined }[] = [];

/** Replaces the browser's notifications by a fake with this answer to the question for permission. */
function browser(permission: NotificationPermission, reply = permission) {
  class FakeNotification {
    static permission = permission;
    static requestPermission = vi.fn(() => Promise.resolve(reply));
    onclick: (() => void) | null = null;
    constructor(title: string, { body }: NotificationOptions = {}) {
      shown.push({ title, body });
    }
    close() {}
  }
  vi.stubGlobal("Notification", FakeNotification);
  return FakeNotification;
}

function Page({ run, sentence }: { run: Run; sentence: string | null }) {
  const choice = useEndNotice(run, sentence);
  return (
    <MemoryRouter>
      <EndNotice choice={choice} />
    </MemoryRouter>
  );
}

function open() {
  const { rerender } = render(<Page run={RUNNING} sentence={null} />);
  return (run: Run, sentence: string | null) => rerender(<Page run={run} sentence={sentence} />);
}

const click = (name: string) =>
  act(() => {
    fireEvent.click(screen.getByRole("button", { name }));
    return Promise.resolve();
  });

beforeEach(() => void shown.splice(0));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the notification of a run's end", () => {
  it("is shown once, with the answer, after one click", async () => {
    const { requestPermission } = browser("default", "granted");
    const change = open();
    expect(requestPermission).not.toHaveBeenCalled();
    await click("Tell me when it is done");
    expect(screen.getByText(/You are notified while this page is open/)).toBeTruthy();
    change(ENDED, null);
    expect(shown).toEqual([]);
    change(ENDED, ANSWER);
    change({ ...ENDED }, ANSWER);
    expect(shown).toEqual([{ title: "A run", body: ANSWER }]);
  });

  it("is not shown without a click, nor after it was turned off", async () => {
    browser("granted");
    const change = open();
    await click("Tell me when it is done");
    await click("Turn off");
    change(ENDED, ANSWER);
    expect(shown).toEqual([]);
  });

  it("has the state of a run whose result cannot be read", async () => {
    vi.useFakeTimers();
    browser("granted");
    const change = open();
    await click("Tell me when it is done");
    change(ENDED, null);
    act(() => void vi.advanceTimersByTime(ANSWER_WITHIN_MS));
    expect(shown).toEqual([{ title: "A run", body: "done" }]);
  });

  it.each([
    ["refuses it", "default", "denied"],
    ["refused it before", "denied", "denied"],
  ] as const)("is replaced by a webhook where the browser %s", async (_, permission, reply) => {
    browser(permission, reply);
    open();
    if (permission === "default") await click("Tell me when it is done");
    const link = screen.getByRole("link", { name: "webhook" });
    expect(link.getAttribute("href")).toBe("/team/webhooks");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is replaced by a webhook where the browser has no notifications", () => {
    vi.stubGlobal("Notification", undefined);
    open();
    expect(screen.getByRole("link", { name: "webhook" })).toBeTruthy();
  });

  it("is offered again where the question was closed", async () => {
    browser("default");
    open();
    await click("Tell me when it is done");
    expect(screen.getByRole("button", { name: "Tell me when it is done" })).toBeTruthy();
  });
});
