import { describe, expect, it } from "vitest";
import type { TrialRecord } from "@/api/types";
import { cpuRows } from "./cpuRows";
import { shellLine } from "./shell";

const RECORD = {
  window: { started_at: "", ended_at: "", seconds: 10 },
  transactions: 100_000,
  cpu: {
    roles: { client: 3, server: 6, proxy: 4, kernel: 1, other: 0.5 }, tasks_total: 14.5, host_busy: 15, unattributed: 0.5,
    idle: 24.9, steal: 0.1, capacity: 40, sources: { client: "cgroup" },
  },
} as unknown as TrialRecord;

describe("cpuRows", () => {
  it("adds up to what the host was busy", () => {
    const rows = cpuRows(RECORD);
    const end = rows.findIndex((row) => row.name === "host busy");
    const parts = rows.slice(0, end);
    expect(parts.map((row) => row.name)).toEqual(["client", "server", "proxy", "kernel", "other", "unattributed"]);
    expect(parts.reduce((sum, row) => sum + row.coreSeconds, 0)).toBeCloseTo(rows[end]!.coreSeconds);
  });

  it("gives cores and cost, and no cost for what no one used or where nothing was counted", () => {
    expect(cpuRows(RECORD)[0]).toMatchObject({ cores: 0.3, usPerTxn: 30, source: "cgroup" });
    expect(cpuRows(RECORD).find((row) => row.name === "idle")?.usPerTxn).toBeNull();
    expect(cpuRows({ ...RECORD, transactions: 0 })[0]!.usPerTxn).toBeNull();
  });
});

describe("shellLine", () => {
  it("quotes only what a shell would read otherwise", () => {
    expect(shellLine(["pgbench", "-h", "127.0.0.1", "a b", "it's", "$(x)", ""])).toBe(`pgbench -h 127.0.0.1 'a b' 'it'\\''s' '$(x)' ''`);
  });
});
