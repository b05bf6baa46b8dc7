import { describe, expect, it } from "vitest";
import { formatNumber } from "./format";
import { formatRate, operationOf, rateAmong, rateOf, rateOfTrial } from "./rates";
import { groupWarnings, parseWarning } from "./warnings";

describe("rates", () => {
  it("name the operation that the tool counts", () => {
    expect(rateOf({ tool: "ab" })).toMatchObject({ metric: "rps", unit: "1/s", operation: "request" });
    expect(rateOf({ tool: "iperf3" })).toMatchObject({ metric: "throughput_gbit_s", unit: "Gbit/s", operation: "MB" });
    expect(rateOf(undefined).metric).toBe("tps");
    expect(rateAmong({ rps: 1 })?.metric).toBe("rps");
    expect(rateAmong({ cpu_cores: 1 })).toBeNull();
    expect(rateOfTrial({ rps: 1 }, undefined).metric).toBe("rps");
    expect(rateOfTrial({ rps: 1 }, { tool: "iperf3" }).metric).toBe("throughput_gbit_s");
  });

  it("use one name for several cells only where their tools share it", () => {
    expect(operationOf([{ tool: "wrk" }, { tool: "ab" }])).toBe("request");
    expect(operationOf([{ tool: "wrk" }, { tool: "iperf3" }])).toBe("transaction");
  });

  it("are written with their unit; a missing one is null", () => {
    expect(formatRate({ throughput_gbit_s: 9.414 }, formatNumber)).toBe("9.41 Gbit/s");
    expect(formatRate({ rps: 12_345.6 }, formatNumber)).toBe("12,346 requests/s");
    expect(formatRate(null, formatNumber)).toBeNull();
  });
});

describe("warnings", () => {
  it("are split into title, figure, advice and trials", () => {
    expect(parseWarning("client thread saturated: 97 % of one core; use more threads; or fewer clients")).toEqual({
      title: "client thread saturated", figure: "97 % of one core", advice: "use more threads; or fewer clients", trials: null,
    });
    expect(parseWarning("3 of 10 trials: for example steal: 1.2 %")).toEqual({ title: "steal", figure: "1.2 %", advice: "", trials: { count: 3, of: 10 } });
    expect(parseWarning("Only one cell can run.")).toMatchObject({ title: "Only one cell can run.", figure: "", advice: "" });
  });

  it("are grouped by kind, the kind of most cells first; a sentence about the run is a kind of its own", () => {
    const cells = ["c1", "c2"].map((label) => ({ label, href: null, warnings: [`1 of 2 trials: steal: ${label}; use another host`] }));
    const found = groupWarnings(["Paths differ in mtu: 1500 in c1; 65535 in c2. That is part of the result.", "c2: 3 trials failed; it has no figures."], cells);
    expect(found.map((kind) => [kind.title, kind.cells.length, kind.advice])).toEqual([
      ["steal", 2, "use another host"],
      ["Cells whose figures are missing, partial or moved", 1, ""],
      ["Paths differ in mtu: 1500 in c1; 65535 in c2. That is part of the result.", 0, ""],
    ]);
    expect(found[0]!.cells[1]).toEqual({ label: "c2", href: null, figure: "c2", trials: { count: 1, of: 2 } });
    expect(found[1]!.cells[0]).toMatchObject({ label: "c2", figure: "3 trials failed; it has no figures." });
  });
});
