import type { ChartModel } from "@/api/generated";
import { serverText } from "@/components/serverText";
import { withoutFigure } from "@/components/stateLabels";
import { seriesColor, seriesShape, type Shape } from "@/theme/palette";
import type { Dot, Lane } from "./dotLayout";
import { truncate } from "./axes";
import { Symbol } from "./Symbol";

interface Point {
  cx?: number;
  cy?: number;
}

/** The marker of one trial: hollow where it is excluded, ringed where it is unsteady. */
export function TrialDot({ cx = 0, cy = 0, payload, color, shape, isActive = false }: Point & { payload?: Pick<Dot, "used" | "unsteady">; color: string; shape: Shape; isActive?: boolean }) {
  return (
    <g>
      {isActive && <circle cx={cx} cy={cy} r={8} fill="none" stroke="var(--focus)" strokeWidth={2} />}
      {payload?.unsteady && <circle cx={cx} cy={cy} r={6} fill="none" stroke={color} strokeWidth={1} strokeDasharray="2 1.6" />}
      <Symbol shape={shape} cx={cx} cy={cy} size={7} fill={payload?.used ? color : "none"} stroke={color} opacity={0.55} />
    </g>
  );
}

/** The median of a cell: a thick tick. */
export function MedianTick({ cx = 0, cy = 0 }: Point) {
  return <rect x={cx - 1.75} y={cy - 9} width={3.5} height={18} rx={1} fill="var(--ink)" />;
}

/** The published ratio times this run's baseline: hollow, because it was not measured. */
export function PublishedMark({ cx = 0, cy = 0 }: Point) {
  return <Symbol shape="diamond" cx={cx} cy={cy} size={10} fill="var(--surface)" stroke="var(--ink-2)" opacity={0.7} />;
}

/** The text at the end of a lane: the number of trials. */
export function LaneEnd({ cx = 0, cy = 0, payload }: Point & { payload?: Lane }) {
  return (
    <text x={cx + 8} y={cy} dy="0.32em" fontSize={12} fill="var(--ink-3)">
      {payload?.end ?? ""}
    </text>
  );
}

const INK = { good: "var(--good)", bad: "var(--bad)", warn: "var(--warn)", info: "var(--accent)", quiet: "var(--ink-3)" };

/** The state of a cell without a figure. */
export function LaneNote({ cx = 0, cy = 0, payload, room, origin }: Point & { payload?: Lane; room: number; origin: ChartModel["origin"] }) {
  if (!payload) return null;
  const state = withoutFigure(payload.cell, origin);
  const { series, reason, color, shape } = payload.cell;
  const word = `${state.word}${reason ? `: ${serverText(reason, payload.cell.reason_message)}` : ""}`;
  return (
    <g>
      <title>{`${series}: ${word}`}</title>
      <Symbol shape={seriesShape(shape)} cx={cx + 14} cy={cy} size={7} fill="none" stroke={seriesColor(color)} />
      <text
        x={cx + 24}
        y={cy}
        dy="0.32em"
        fontSize={12}
        fill={INK[state.tone]}
        fontStyle={state.tone === "quiet" ? "italic" : undefined}
        stroke="var(--surface)"
        strokeWidth={4}
        paintOrder="stroke"
      >
        {state.glyph} {truncate(word, payload.end ? room - 40 : room + 34)}
      </text>
    </g>
  );
}
