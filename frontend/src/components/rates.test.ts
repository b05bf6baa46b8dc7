import { describe, expect, it } from "vitest";
import { formatNumber } from "./format";
import { formatRate, operationOf, rateAmong, rateOf, rateOfTrial } from "./rates";

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
