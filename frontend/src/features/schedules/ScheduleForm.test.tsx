import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Schedule, ScheduleStart } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { ScheduleForm } from "./ScheduleForm";

const AT = "2026-11-20T02:00:00Z";
const SCHEDULE: Schedule = {
  id: "sch_1", experiment_id: "exp_1", name: "two", title: "Two", cron: "0 2 * * *", time_zone: "UTC", next_times: [AT], enabled: true,
  hosts: ["bench-1"], host_label: null, client_host: "bench-2", account: "Ada", created_at: AT, last: null,
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("ScheduleForm", () => {
  it("removes the client host by null", async () => {
    serve(({ path }) => (path.endsWith("/hosts") ? { data: [{ name: "bench-1" }, { name: "bench-2" }] } : { next_times: [AT] }));
    const submit = vi.fn<(fields: ScheduleStart) => void>();
    showAt("/", { "/": <ScheduleForm initial={SCHEDULE} busy={false} error={null} onSubmit={submit} onCancel={() => undefined} /> });
    const client = await screen.findByDisplayValue("bench-2");
    fireEvent.click(screen.getByRole("button", { name: "Save the changes" }));
    fireEvent.change(client, { target: { value: "" } });
    fireEvent.click(screen.getByRole("button", { name: "Save the changes" }));
    expect(submit.mock.calls.map(([fields]) => fields.client_host)).toEqual(["bench-2", null]);
    expect(submit.mock.calls[1]?.[0]).toMatchObject({ cron: "0 2 * * *", time_zone: "UTC", hosts: ["bench-1"] });
  });
});
