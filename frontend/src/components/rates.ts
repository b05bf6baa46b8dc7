/** The operation that each tool counts, and the rate that it reports. */
import type { Levels } from "@/api/draft";
import { messages } from "@/messages";

const t = messages("common");

export interface Rate {
  metric: string;
  /** "requests per second". */
  label: string;
  /** A short label: "requests/s". */
  short: string;
  unit: string;
  decimals: number;
  /** The name of one operation. */
  operation: string;
  operations: string;
}

const TRANSACTIONS: Rate = { metric: "tps", get label() { return t("rateTps"); }, short: "tps", unit: "1/s", decimals: 0, get operation() { return t("transaction"); }, get operations() { return t("transactions"); } };
const REQUESTS: Rate = { metric: "rps", get label() { return t("rateRps"); }, get short() { return t("requestsPerSecond"); }, unit: "1/s", decimals: 0, get operation() { return t("request"); }, get operations() { return t("requests"); } };
const BITS: Rate = { metric: "throughput_gbit_s", get label() { return t("throughput"); }, short: "Gbit/s", unit: "Gbit/s", decimals: 2, operation: "MB", get operations() { return t("mbReceived"); } };
const RATES = [TRANSACTIONS, REQUESTS, BITS];
const OF_TOOL: Record<string, Rate> = { pgbench: TRANSACTIONS, wrk: REQUESTS, ab: REQUESTS, iperf3: BITS };

/** Returns the rate of a cell's tool; transactions where the tool is not known. */
export function rateOf(levels: Levels | undefined): Rate {
  return OF_TOOL[String(levels?.["tool"])] ?? TRANSACTIONS;
}

/** Returns the rate that a trial's metrics contain, or null. */
export function rateAmong(metrics: Readonly<Record<string, unknown>> | null | undefined): Rate | null {
  return RATES.find(({ metric }) => metrics?.[metric] !== undefined) ?? null;
}

/** Returns the rate of a trial: by its cell's tool, else by its metrics. */
export function rateOfTrial(metrics: Readonly<Record<string, unknown>> | null | undefined, levels: Levels | undefined): Rate {
  return levels?.["tool"] === undefined ? (rateAmong(metrics) ?? TRANSACTIONS) : rateOf(levels);
}

/** Returns the rate with this metric's name, or null. */
export function rateNamed(metric: string): Rate | null {
  return RATES.find((rate) => rate.metric === metric) ?? null;
}

/** Returns the name of one operation for several cells; "transaction" where their tools differ. */
export function operationOf(all: readonly Levels[]): string {
  const found = new Set(all.map((levels) => rateOf(levels).operation));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : TRANSACTIONS.operation;
}

/** Formats a rate with its unit: "17,500 tps", "9.41 Gbit/s". */
export function formatRate(metrics: Readonly<Record<string, unknown>> | null | undefined, format: (value: number, decimals: number) => string): string | null {
  const rate = rateAmong(metrics);
  const value = rate && metrics?.[rate.metric];
  return rate && typeof value === "number" ? `${format(value, rate.decimals)} ${rate.short}` : null;
}
