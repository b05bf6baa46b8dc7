/** The layout of a sweep: the metric by equally spaced loads, and the knee. Pure. */
import type { Axis, ChartModel, Interval, Knee } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { factName } from "@/components/factName";
import { formatInterval, formatNumber, formatSignificant, humanize } from "@/components/format";
import { catalogName } from "@/components/serverText";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import { axisEnd } from "./roleLayout";
import { niceTicks, tickDecimals } from "./ticks";

const t = messages("charts");

export interface KneePoint {
  /** The index of the load. */
  x: number;
  level: number;
  cellId: string;
  n: number;
  median: number | null;
  interval: Interval | null;
  /** Position on the axis and distances to the ends of the interval; null without a figure. */
  y: number | null;
  error: [number, number] | null;
}

export interface KneeLayout {
  points: KneePoint[];
  axis: Pick<Axis, "label" | "unit" | "decimals">;
  /** Whether y is the logarithm to base 10. */
  log: boolean;
  domain: [number, number];
  ticks: { y: number; label: string }[];
  limit: number | null;
  /** The position of the knee among the loads, and that of its interval. */
  knee: { x: number; from: number; to: number } | null;
  color: number;
  shape: number;
}

/** From this ratio of largest to smallest value on, the axis is logarithmic. */
const LOG_FROM = 40;

function logTicks([low, high]: readonly [number, number]): { y: number; label: string }[] {
  const powers = Array.from({ length: Math.floor(high + 1e-9) - Math.ceil(low - 1e-9) + 1 }, (_, index) => Math.ceil(low - 1e-9) + index);
  return powers.map((power) => ({ y: power, label: formatSignificant(10 ** power) }));
}

/** Returns the position of a load between its neighbours; loads outside the sweep are at its ends. */
export function positionOf(levels: readonly number[], level: number): number {
  const after = levels.findIndex((each) => each >= level);
  if (after < 0) return levels.length - 1;
  const high = levels[after] ?? level;
  const low = levels[after - 1];
  return low === undefined || high === low ? after : after - (high - level) / (high - low);
}

function axisOf(model: ChartModel, metric: string): KneeLayout["axis"] {
  return model.axes.find((axis) => axis.metric === metric) ?? { label: catalogName("metric", metric, humanize(metric)), unit: "", decimals: 2 };
}

export function kneeLayout(model: ChartModel, knee: Knee): KneeLayout {
  const found = knee.cells
    .flatMap((id) => model.cells.filter((cell) => cell.id === id))
    .map((cell) => ({ cell, level: Number(cell.levels[knee.factor]), summary: summaryOf(cell, knee.metric) }))
    .sort((a, b) => a.level - b.level);
  const numbers = found.flatMap(({ summary }) => [summary?.median, summary?.interval?.low, summary?.interval?.high]).filter((value) => value != null);
  const all = [...numbers, ...(knee.limit_ms === null ? [] : [knee.limit_ms])];
  const log = all.length > 0 && Math.min(...all) > 0 && Math.max(...all) / Math.min(...all) > LOG_FROM;
  const drawn = (value: number) => (log ? Math.log10(value) : value);
  const domain: [number, number] = log ? [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))] : [0, axisEnd(Math.max(0, ...all))];
  const linear = niceTicks(domain, 4);
  const levels = found.map(({ level }) => level);
  const [first] = found;
  return {
    points: found.map(({ cell, level, summary }, x) => {
      const y = summary?.median == null ? null : drawn(summary.median);
      const interval = summary?.interval ?? null;
      const error: KneePoint["error"] = y === null || interval === null ? null : [Math.max(0, y - drawn(interval.low)), Math.max(0, drawn(interval.high) - y)];
      return { x, level, cellId: cell.id, n: summary?.n ?? 0, median: summary?.median ?? null, interval, y, error };
    }),
    axis: axisOf(model, knee.metric),
    log,
    domain,
    ticks: log ? logTicks(domain) : linear.map((y) => ({ y, label: formatNumber(y, tickDecimals(linear)) })),
    limit: knee.limit_ms === null ? null : drawn(knee.limit_ms),
    knee:
      knee.level === null || levels.length === 0
        ? null
        : { x: positionOf(levels, knee.level), from: positionOf(levels, knee.interval?.low ?? knee.level), to: positionOf(levels, knee.interval?.high ?? knee.level) },
    color: first?.cell.color ?? 0,
    shape: first?.cell.shape ?? 0,
  };
}

/** "3,000", "at least 8,000" or "below 1,000". */
export function formatKnee(knee: Knee, layout: KneeLayout): string {
  if (knee.beyond === "below") return t("below", { level: formatNumber(layout.points[0]?.level) });
  if (knee.level === null) return "–";
  const level = formatNumber(knee.level, Number.isInteger(knee.level) ? 0 : 1);
  return knee.beyond === "above" ? t("atLeast", { level }) : level;
}

/** "1,000 – 2,000", or "below 1,000 – 2,000" where in some rounds even the lowest load exceeded the limit. */
export function formatKneeInterval({ interval }: Knee, { points: [lowest] }: KneeLayout): string {
  if (interval === null || lowest === undefined || interval.low >= lowest.level) return formatInterval(interval);
  return t("belowTo", { low: formatNumber(lowest.level), high: formatNumber(interval.high) });
}

export function kneeSentence(model: ChartModel, knees: readonly Knee[]): string {
  const parts = knees.map((knee) => {
    const { points, axis } = kneeLayout(model, knee);
    const figures = points.map((point) => `${formatNumber(point.level)}: ${point.median === null ? t("noFigure") : `${formatNumber(point.median, axis.decimals)} ${axis.unit}`}`);
    return t("kneePart", { title: knee.title, sentence: serverText(knee.sentence, knee.message), label: axis.label, factor: factName(knee.factor), figures: figures.join(", ") });
  });
  const all = model.knees.length;
  return t(knees.length < all ? "kneeSentenceOf" : "kneeSentence", { count: all, n: formatNumber(all), shown: formatNumber(knees.length), parts: parts.join(". ") });
}
