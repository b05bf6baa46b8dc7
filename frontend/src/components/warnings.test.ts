import { describe, expect, it } from "vitest";
import { formatNumber } from "./format";
import { formatRate, operationOf, rateAmong, rateOf, rateOfTrial } from "./rates";
import { groupWarnings } from "./warnings";

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
  it("are grouped by kind, the kind of most cells first; a sentence about the run is a kind of its own", () => {
    const cells = ["c1", "c2"].map((id) => ({ id, label: `cell ${id}`, href: null, notices: [{ kind: "steal", figures: id, advice: "use another host", trials: 1, of: 2 }] }));
    const mtu = "Paths differ in mtu: 1500 in c1; 65535 in c2. That is part of the result.";
    const found = groupWarnings([{ sentence: mtu, cell_id: null }, { sentence: "3 trials failed; it has no figures.", cell_id: "c2" }], cells);
    expect(found.map((kind) => [kind.title, kind.cells.length, kind.advice])).toEqual([
      ["steal", 2, "use another host"],
      ["Cells whose figures are missing or partial", 1, ""],
      [mtu, 0, ""],
    ]);
    expect(found[0]!.cells[1]).toEqual({ label: "cell c2", href: null, figures: "c2", trials: "in 1 of 2 trials" });
    expect(found[1]!.cells[0]).toMatchObject({ label: "cell c2", figures: "3 trials failed; it has no figures." });
  });
});
