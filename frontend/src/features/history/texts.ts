/** Sentences of a history, from its figures. */
import type { HistoryChange, HistoryDifference, RecordedChange, ShownChange } from "@/api/generated";
import { formatChange } from "@/components/effect";
import { formatDifference, formatEffectInterval } from "@/components/effect";
import { factName } from "@/components/factName";
import { formatNumber, formatP, formatRatio, formatZonedTime } from "@/components/format";
import { messages } from "@/messages";
import { languageTag } from "@/messages/language";
import { percentOf } from "./changes";

const t = messages("history");

type Change = Pick<HistoryChange, "basis" | "ratio" | "after_time" | "until_time">;

/** From this ratio on, a change is a multiple: its per cent would have four digits. */
const TIMES = 10;

/** One line: what changed, by how much, and since when. */
export function changeText(change: Change, cell: string, metric: string): string {
  const { ratio, basis } = change;
  const percent = Math.abs(percentOf(ratio));
  const values = {
    cell,
    metric,
    percent: formatNumber(percent, percent < 10 ? 1 : 0),
    ...sinceWhen(change),
  };
  if (ratio >= TIMES) {
    const times = { ...values, times: formatChange(ratio) };
    return t(basis === "ratios" ? "shortRatioTimes" : "shortTimes", times);
  }
  if (basis === "ratios") return t(ratio < 1 ? "shortRatioLower" : "shortRatioHigher", values);
  return t(ratio < 1 ? "shortLower" : "shortHigher", values);
}

/** The same of a series in which a value is zero: by how much in its unit, with the interval where there is one. */
export function differenceText(change: Sized, cell: string, metric: string): string {
  const { difference, p_adjusted } = change;
  const interval = formatEffectInterval({ ratio: null, interval: null, difference });
  const size = formatDifference(difference);
  const values = { cell, metric, change: interval ? `${size} (${interval})` : size };
  return t("shortDifference", { ...values, p: formatP(p_adjusted), ...sinceWhen(change) });
}

type Sized = Pick<HistoryDifference, "difference" | "p_adjusted" | "after_time" | "until_time">;

/** One line of a list of new changes, which have a ratio, or a difference where a value is zero. */
export function shownText(change: ShownChange, cell: string, metric: string): string {
  const { ratio, difference } = change;
  if (difference) return differenceText({ ...change, difference }, cell, metric);
  return changeText({ ...change, ratio: ratio ?? 1 }, cell, metric);
}

/** The days between which it changed; with the times where it is one day. */
function sinceWhen({ after_time, until_time }: Pick<Change, "after_time" | "until_time">) {
  const written = day(after_time) === day(until_time) ? formatZonedTime : day;
  return { after: written(after_time), until: written(until_time) };
}

/** The size of a change with its interval and p. */
export function sizeText(change: HistoryChange, family: number): string {
  const values = { ratio: formatRatio(change.ratio), before: change.runs_before, after: change.runs_after, p: formatP(change.p_adjusted), family };
  return change.interval ? t("ratioInterval", { ...values, low: formatRatio(change.interval.low), high: formatRatio(change.interval.high) }) : t("ratioNoInterval", values);
}

/** What changed in the environment in the same time. */
export function coincidesText(changes: readonly RecordedChange[]): string {
  if (changes.length === 0) return t("coincidesNothing");
  return t("coincides", { changes: changes.map(environmentText).join("; ") });
}

export function environmentText({ key, before, after }: RecordedChange): string {
  return t("oneChange", { key: keyText(key), before: short(before), after: short(after) });
}

/** The name of a fact of the environment. */
export function keyText(key: string): string {
  const engine = /^engine (\S+) docker$/.exec(key)?.[1];
  if (engine !== undefined) return t("docker", { engine });
  if (key === "kernel") return t("kernel");
  if (key === "image") return t("image");
  return key === "docker-proxy sha256" ? t("dockerProxy") : factName(key);
}

/** A value; of a digest its first twelve digits. */
export function short(value: string | null): string {
  if (value === null) return t("notRecorded");
  return value.replace(/\b(?:sha256:)?([0-9a-f]{12})[0-9a-f]{20,}\b/g, "$1");
}

/** A date with the year; the chart and its table have the time. */
export function day(time: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium" }).format(new Date(time));
}
