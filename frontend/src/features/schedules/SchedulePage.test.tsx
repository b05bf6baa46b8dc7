import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Schedule, ScheduleDue } from "@/api/generated";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { showAt } from "@/testing/render";
import { due, schedule, UNKNOWN_ZONE } from "@/testing/schedules";
import { refusal, serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { SchedulePage } from "./SchedulePage";

function show(answer: Schedule | Response, times: ScheduleDue[] = [], role: "viewer" | "runner" = "runner") {
  let enabled = answer instanceof Response || answer.enabled;
  const requests = serve(({ path, method, body }) => {
    if (path.endsWith("/times")) return { data: times, next_cursor: null };
    if (!path.endsWith("/schedules/sch_1") || answer instanceof Response) return answer;
    if (method === "PATCH") enabled = (body as { enabled: boolean }).enabled;
    return { ...answer, enabled };
  });
  showAt("/schedules/sch_1", { "/schedules/:scheduleId": <SchedulePage /> }, undefined, sessionOf(role));
  return requests;
}

const rowsOf = async (label: string) => within(await screen.findByRole("region", { name: label })).getAllByRole("row").slice(1);

beforeAll(() => {
  // jsdom has no modal dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
});

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await chooseLanguage("en", ready);
});

describe("SchedulePage", () => {
  it("loads, and shows times, hosts and next times in the schedule's zone", async () => {
    show(schedule());
    expect(screen.getByRole("status", { name: "Loading the schedule" })).toBeTruthy();
    expect(await screen.findByRole("heading", { level: 1, name: "Nightly" })).toBeTruthy();
    const [row] = await rowsOf("Next times");
    expect(row!.textContent).toMatch(/^Fri, Nov 20, 2026, 02:00 (GMT\+1|CET)/);
    expect(screen.getByRole("link", { name: "History of this experiment" }).getAttribute("href")).toBe("/experiments/exp_1/history");
    expect(screen.getByText(/^Runs have the rights of Ada/)).toBeTruthy();
    expect(await screen.findByText("No time was due yet.")).toBeTruthy();
  });

  it("says what became of times that were due: missed ones with their reason, and runs that wait for opening hours", async () => {
    show(schedule(), [
      due(5, { waits_until: "2026-11-15T19:00:00.000Z" }),
      due(4, { outcome: "missed", reason: "host_drained", host: "bench-1", run_id: null }),
      due(3, { late: true, run_id: null, group_id: "grp_1" }),
      due(2, { outcome: "missed", reason: "server_away", times: 4, run_id: null }),
    ]);
    const [waits, drained, late, away] = await rowsOf("Times that were due");
    expect(waits!.textContent).toMatch(/✓started.* · its first trial waits for the host’s opening hours, Sun, Nov 15, 2026, 20:00 (GMT\+1|CET)$/);
    expect(within(waits!).getByRole("link", { name: "the run" }).getAttribute("href")).toBe("/runs/run_5");
    expect(drained!.textContent).toMatch(/✕missed the host was drained · bench-1\s*$/);
    expect(within(drained!).queryByRole("link")).toBeNull();
    expect(late!.textContent).toContain("✓started late");
    expect(within(late!).getByRole("link", { name: "the group of runs" }).getAttribute("href")).toBe("/run-groups/grp_1");
    expect(away!.textContent).toMatch(/✕missed · 4 times in a row no server was running\s*$/);
  });

  it("says that it was paused because the server no longer knows its time zone, and still shows the times", async () => {
    show(schedule({ time_zone: "Mars/Olympus", enabled: false, next_times: [], last: UNKNOWN_ZONE }), [UNKNOWN_ZONE]);
    expect(await screen.findByText(/^The schedule is paused and starts nothing/)).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Next times" })).toBeNull();
    const [row] = await rowsOf("Times that were due");
    expect(row!.textContent).toMatch(/^Nov 13, 2026.*✕missed the start was refused · this server knows no time zone Mars\/Olympus: choose another one; the schedule is paused/);
  });

  it("says so in Chinese", async () => {
    await chooseLanguage("zh", ready);
    show(schedule({ enabled: false, next_times: [] }), [UNKNOWN_ZONE]);
    expect(await screen.findByText(/此服务器没有时区 Mars\/Olympus：请另选一个；定时任务已暂停/)).toBeTruthy();
  });

  it("pauses and resumes", async () => {
    const requests = show(schedule());
    fireEvent.click(await screen.findByRole("button", { name: "Pause" }));
    expect(await screen.findByRole("button", { name: "Resume" })).toBeTruthy();
    expect(screen.getByText(/the times of the pause are not made up for/)).toBeTruthy();
    expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ enabled: false });
  });

  it("deletes after a question, and names a refusal in it", async () => {
    const requests = serve(({ path, method }) => {
      if (method === "DELETE") return refusal(403, { code: "forbidden", title: "Not allowed", detail: "your role is viewer" });
      return path.endsWith("/times") ? { data: [], next_cursor: null } : schedule();
    });
    showAt("/schedules/sch_1", { "/schedules/:scheduleId": <SchedulePage /> }, undefined, sessionOf("runner"));
    fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
    fireEvent.click(dialog.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(dialog.getByRole("alert")).toBeTruthy());
  });

  it("shows a viewer no actions, and a failure with another try", async () => {
    show(schedule(), [], "viewer");
    await rowsOf("Next times");
    expect(screen.queryByRole("group", { name: "Actions" })).toBeNull();
    cleanup();
    show(refusal(404, { code: "not_found", title: "Not found", detail: "no such schedule" }));
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Next times" })).toBeNull();
  });
});
