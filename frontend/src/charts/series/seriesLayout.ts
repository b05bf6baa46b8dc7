/** The lines of a cell's trials over time, and how its trials are named. Pure. */
import type { CellSeries, SeriesTrial } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";

const t = messages("charts");

export type Quantity = "rate" | "cpu";

export interface SeriesPoint {
  t: number;
  value: number;
}

export interface SeriesLine {
  round: number;
  used: boolean;
  /** Of the rate the warm-up and the measured window, which are two loads. */
  parts: { phase: "warmUp" | "window"; points: SeriesPoint[] }[];
}

const pairs = (t: readonly number[] = [], values: readonly number[] = []): SeriesPoint[] => values.map((value, index) => ({ t: t[index] ?? 0, value }));

/** Returns a line for each trial; `role` is that of the CPU. */
export function seriesLines({ trials }: CellSeries, quantity: Quantity, role: string): SeriesLine[] {
  return trials.map((trial) => ({
    round: trial.round,
    used: trial.used,
    parts:
      quantity === "rate"
        ? [
            { phase: "warmUp" as const, points: pairs(trial.warm_up.t, trial.warm_up.values) },
            { phase: "window" as const, points: pairs(trial.rate.t, trial.rate.values) },
          ].filter(({ points }) => points.length > 0)
        : [{ phase: "window" as const, points: pairs(trial.cpu.t, trial.cpu.cores?.[role]) }],
  }));
}

/** Returns why a trial is in no figure, and whether it was measured again; null for one without remarks. */
export function remarkOf(trial: SeriesTrial): string | null {
  const remarks = [
    ...(trial.used ? [] : [reasonOf(trial)]),
    ...(trial.retakes > 0 ? [t("seriesRetaken", { count: trial.retakes, n: formatNumber(trial.retakes) })] : []),
  ];
  return remarks.length > 0 ? remarks.join("; ") : null;
}

function reasonOf({ excluded, invalid, contaminated, evidence }: SeriesTrial): string {
  if (excluded !== null) return excluded ? t("seriesExcluded", { reason: excluded }) : t("seriesExcludedByHand");
  if (invalid.length > 0) return t("seriesInvalid", { reasons: invalid.join("; ") });
  if (contaminated.length > 0) return t("seriesContaminated", { reasons: contaminated.join("; ") });
  if (evidence === "contradicted") return t("seriesContradicted");
  return t(evidence === "proven" ? "seriesNotCounted" : "seriesNotProven");
}

/** "Round 3", with its remark in brackets. */
export function trialName(trial: SeriesTrial): string {
  const remark = remarkOf(trial);
  const round = formatNumber(trial.round);
  return remark === null ? t("seriesRound", { round }) : t("seriesRoundRemark", { round, remark });
}
