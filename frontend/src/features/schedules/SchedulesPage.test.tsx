import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Schedule } from "@/api/generated";
import { showAt } from "@/testing/render";
import { due, schedule, UNKNOWN_ZONE } from "@/testing/schedules";
import { refusal, serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { SchedulesPage } from "./SchedulesPage";

function show(answer: Schedule[] | Response, role: "viewer" | "runner" = "runner", query = "") {
  const requests = serve(({ path }) => (path.endsWith("/schedules") ? (answer instanceof Response ? answer : { data: answer }) : undefined));
  showAt(`/schedules${query}`, { "/schedules": <SchedulesPage /> }, undefined, sessionOf(role));
  return requests.filter(({ path }) => path.endsWith("/schedules"));
}

const rows = async () => within(await screen.findByRole("region", { name: "Schedules" })).getAllByRole("row").slice(1).map((row) => row.textContent);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("SchedulesPage", () => {
  it("loads, and says what a schedule is for while there is none", async () => {
    show([]);
    expect(screen.getByRole("status", { name: "Loading the schedules" })).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "No schedule yet" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "New schedule" })).toBeTruthy();
  });

  it("lists next starts in the schedule's zone, and what became of the last time", async () => {
    const missed = due(2, { outcome: "missed", reason: "server_away", times: 3, run_id: null });
    show([
      schedule({ last: due(1, { late: true }) }),
      schedule({ id: "sch_2", title: "Weekly", hosts: null, host_label: "arm", last: missed }),
      schedule({ id: "sch_3", title: "Olympus", time_zone: "Mars/Olympus", enabled: false, next_times: [], last: UNKNOWN_ZONE }),
      schedule({ id: "sch_4", title: "Fresh" }),
    ]);
    const [first, second, third, fourth] = await rows();
    expect(first).toMatch(/^Nightly0 2 \* \* \* Europe\/Berlinbench-1Fri, Nov 20, 2026, 02:00 (GMT\+1|CET)✓started late$/);
    expect(second).toMatch(/label arm.*✕missed · 3 times in a row$/);
    expect(third).toMatch(/Mars\/Olympusbench-1paused✕missed$/);
    expect(fourth).toMatch(/was not due yet$/);
    expect(screen.getByRole("link", { name: "Weekly" }).getAttribute("href")).toBe("/schedules/sch_2");
  });

  it("offers a viewer no new schedule, also not by the address", async () => {
    show([schedule()], "viewer", "?new=");
    expect(await rows()).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "New schedule" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Create the schedule" })).toBeNull();
  });

  it("offers no experiment of imported logs", async () => {
    const experiments = [{ id: "exp_1", title: "Imported TCP logs", imported: true }, { id: "exp_2", title: "Two paths", imported: false }];
    serve(({ path }) => (path.endsWith("/experiments") ? { data: experiments, next_cursor: null } : path.endsWith("/schedules") ? { data: [] } : undefined));
    showAt("/schedules?new=", { "/schedules": <SchedulesPage /> }, undefined, sessionOf("runner"));
    expect(await screen.findByText("Two paths")).toBeTruthy();
    expect(screen.queryByText("Imported TCP logs")).toBeNull();
  });

  it("lists those of the experiment in the address", async () => {
    const requests = serve(() => ({ data: [schedule()] }));
    showAt("/schedules?experiment=exp_1", { "/schedules": <SchedulesPage /> }, undefined, sessionOf("runner"));
    expect(await rows()).toHaveLength(1);
    expect(requests[0]?.query.get("experiment_id")).toBe("exp_1");
  });

  it("offers to try again where the list cannot be read", async () => {
    show(refusal(503, { code: "unavailable", title: "The database does not answer" }));
    expect(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "No schedule yet" })).toBeNull();
  });
});
