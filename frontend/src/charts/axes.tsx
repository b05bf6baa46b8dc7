/** Axes, their styles, and text inside a plot. */
import { formatNumber } from "@/components/format";
import { charactersOf } from "./textWidth";
import { tickDecimals } from "./ticks";

export const AXIS_TICK = { fontSize: 12, fill: "var(--ink-3)" } as const;
export const AXIS_LINE = { stroke: "var(--line-strong)" } as const;
export const GRID = { stroke: "var(--line)", strokeDasharray: "0" } as const;

/** Returns the properties of a horizontal numeric axis. */
export function numberAxis(domain: readonly [number, number], ticks: readonly number[], format: (value: number, decimals: number) => string = formatNumber) {
  return {
    type: "number",
    domain: [...domain],
    ticks: [...ticks],
    tickFormatter: (value: number) => format(value, tickDecimals(ticks)),
    tick: AXIS_TICK,
    axisLine: AXIS_LINE,
    tickLine: AXIS_LINE,
    height: 30,
    interval: 0,
  } as const;
}

interface RowTextProps {
  x: number;
  y: number;
  label: string;
  sub?: string;
  heading: boolean;
}

/** A row's name: right-aligned beside the plot, or as a heading above the row. */
export function RowText({ x, y, label, sub, heading }: RowTextProps) {
  const anchor = heading ? "start" : "end";
  const left = heading ? 2 : -8;
  if (heading)
    return (
      <text x={x + left} y={y} dy="0.32em" textAnchor={anchor} fontSize={12.5} fill="var(--ink)" fontWeight={600} stroke="var(--surface)" strokeWidth={4} paintOrder="stroke">
        {label}
        {sub && (
          <tspan dx={6} fontSize={11.5} fontWeight={400} fill="var(--ink-3)">
            {sub}
          </tspan>
        )}
      </text>
    );
  return (
    <text x={x + left} y={y} textAnchor={anchor} fontSize={12.5} fill="var(--ink)">
      <tspan dy={sub ? "-0.2em" : "0.32em"} x={x + left}>
        {label}
      </tspan>
      {sub && (
        <tspan x={x + left} dy="1.25em" fontSize={11} fill="var(--ink-3)">
          {sub}
        </tspan>
      )}
    </text>
  );
}

/** Cuts a text to `width` pixels, at about 6.3 pixels per character, and twice as many per Chinese one. */
export function truncate(text: string, width: number): string {
  const most = Math.max(8, Math.floor(width / 6.3));
  if (charactersOf(text) <= most) return text;
  let end = 0;
  for (let used = 1; end < text.length; end += 1) {
    used += charactersOf(text.charAt(end));
    if (used > most) break;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
