import { describe, expect, it } from "vitest";
import type { CpuByRole, ProcessCpu } from "@/api/generated";
import { cpuBreakdown } from "./cpuBreakdown";
import { formatMicros, histogramBars } from "./histogramLayout";
import { processGroups } from "./processRows";

const CPU: CpuByRole = {
  roles: { client: 3, server: 6, proxy: 4, kernel: 1, other: 0.5 }, tasks_total: 14.5, host_busy: 15.1, unattributed: 0.4,
  idle: 25, steal: 0.1, capacity: 40, sources: { client: "cgroup" },
};

describe("cpuBreakdown", () => {
  const bar = cpuBreakdown(CPU, 10, 100_000);

  it("adds up to the capacity of the host", () => {
    expect(bar.parts.map((part) => part.role)).toEqual(["client", "server", "proxy", "kernel", "other", "unattributed", "steal", "idle"]);
    expect(bar.parts.reduce((sum, part) => sum + part.coreSeconds, 0)).toBeCloseTo(bar.capacity);
    expect(bar.totalPercent).toBeCloseTo(100);
    expect(bar.cores).toBe(4);
    expect(bar.busy.coreSeconds).toBeCloseTo(14.9);
  });

  it("places the parts end to end over the whole bar", () => {
    expect(bar.parts[0]).toMatchObject({ from: 0, to: 0.075, percent: 7.5, cores: 0.3, usPerOperation: 30, source: "cgroup" });
    for (const [index, part] of bar.parts.slice(1).entries()) expect(part.from).toBe(bar.parts[index]!.to);
    expect(bar.parts.at(-1)!.to).toBeCloseTo(1);
  });

  it("has no cost for unused time, or where no operation was counted", () => {
    expect(bar.parts.filter((part) => part.usPerOperation === null).map((part) => part.role)).toEqual(["steal", "idle"]);
    expect(cpuBreakdown(CPU, 10, 0).parts.every((part) => part.usPerOperation === null)).toBe(true);
  });

  it("gives a negative part no length, and scales the bar to the others", () => {
    const below = cpuBreakdown({ ...CPU, unattributed: -0.6, idle: 26 }, 10, 100_000);
    const part = below.parts.find((each) => each.role === "unattributed")!;
    expect(part.to - part.from).toBe(0);
    expect(part.percent).toBeCloseTo(-1.5);
    expect(below.totalPercent).toBeCloseTo(100);
    expect(below.parts.at(-1)!.to).toBeCloseTo(1);
  });
});

describe("processGroups", () => {
  const process = (name: string, pid: number, seconds: number, more: Partial<ProcessCpu> = {}): ProcessCpu => ({ role: "proxy", name, pid, thread: null, seconds, context_switches: 100, ...more });

  it("groups the processes of one program, the busiest first, in the order of the roles", () => {
    const groups = processGroups([process("nginx worker", 11, 1), process("nginx worker", 12, 3), process("wrk", 9, 5, { role: "client" })], 10);
    expect(groups.map((group) => [group.role, group.name, group.count])).toEqual([["client", "wrk", 1], ["proxy", "nginx worker", 2]]);
    expect(groups[1]!.rows.map((row) => [row.process?.pid, row.cores])).toEqual([[12, 0.3], [11, 0.1]]);
    expect(groups[1]!.cores).toBeCloseTo(0.4);
  });

  it("counts a process with its threads once", () => {
    const [group] = processGroups([process("haproxy", 7, 4), process("haproxy", 7, 3, { thread: 71 }), process("haproxy", 7, 1, { thread: 72 })], 10);
    expect(group).toMatchObject({ count: 1, cores: 0.4 });
    expect(group!.rows).toHaveLength(3);
  });

  it("ends a long list with a sum of the others", () => {
    const many = Array.from({ length: 30 }, (_, index) => process("postgres backend", index + 1, 30 - index, { role: "server" }));
    const [group] = processGroups(many, 10);
    expect(group!.rows).toHaveLength(9);
    expect(group!.rows.at(-1)).toMatchObject({ process: null, name: "22 more", switches: 2200 });
    expect(group!.rows.reduce((sum, row) => sum + row.seconds, 0)).toBeCloseTo(465);
    expect(processGroups(many.slice(0, 9), 10)[0]!.rows).toHaveLength(9);
  });

  it("has no sum of context switches where one was not counted", () => {
    const many = Array.from({ length: 12 }, (_, index) => process("pong", index, 1, { context_switches: null }));
    expect(processGroups(many, 10)[0]!.rows.at(-1)!.switches).toBeNull();
  });
});

describe("histogramBars", () => {
  it("leaves out empty bins at both ends", () => {
    expect(histogramBars([[300, 0], [100, 0], [200, 3], [400, 1], [500, 0]])).toEqual([
      { low: 100, high: 200, count: 3, percent: 75 },
      { low: 200, high: 300, count: 0, percent: 0 },
      { low: 300, high: 400, count: 1, percent: 25 },
    ]);
    expect(histogramBars([[100, 0]])).toEqual([]);
  });

  it("merges neighbours where there are many", () => {
    const bars = histogramBars(Array.from({ length: 1000 }, (_, index) => [(index + 1) * 10, 2] as const));
    expect(bars.length).toBeLessThanOrEqual(48);
    expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(2000);
    expect(bars.at(-1)!.high).toBe(10_000);
    expect(bars[1]!.low).toBe(bars[0]!.high);
  });

  it("writes bounds in µs, ms or s", () => {
    expect([850, 1250, 2_000_000].map(formatMicros)).toEqual(["850 µs", "1.25 ms", "2 s"]);
  });
});
