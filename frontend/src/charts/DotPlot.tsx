import { useState } from "react";
import { CartesianGrid, ErrorBar, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from "recharts";
import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { Toggle } from "@/components/Toggle";
import { seriesColor, seriesShape } from "@/theme/palette";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { DotLegend } from "./DotLegend";
import { DotTable } from "./DotTable";
import { dotLayout, leftOutText, type Dot, type DotLayout, type Lane, type Row } from "./dotLayout";
import { fittedNames } from "./fittedNames";
import { dotKey, dotMarks } from "./dotKeyboard";
import { dotSentence } from "./sentences";
import { LaneEnd, LaneNote, MedianTick, PublishedMark, TrialDot } from "./dotMarks";
import { AXIS_LINE, GRID, numberAxis, RowText } from "./axes";
import { PlotLines } from "./PlotLines";
import { niceTicks } from "./ticks";
import { Tip } from "./Tip";
import { charactersOf } from "./textWidth";

const t = messages("charts");

interface Props {
  model: ChartModel;
  axis: Axis;
  title: string;
  note?: string;
  /** Controls shown before the chart's own. */
  controls?: React.ReactNode;
  /** The cells to draw; by default all. */
  shown?: readonly ChartCell[];
  /** The addresses of the chart as an image. */
  image?: ImageHref | undefined;
  /** Called with a trial's cell and round, or with a cell's id, on a click. */
  onTrial?: (cellId: string, round: number) => void;
  onCell?: (cellId: string) => void;
}

const NARROW = 620;
const scales = () => [{ value: "zero", label: t("fromZero") }, { value: "zoom", label: t("zoom"), title: t("zoomTitle") }] as const;

/** A dot per trial, a tick for the median and a bar for its 95 % interval; one lane per cell. */
export function DotPlot({ model, axis, title, note, controls, shown = model.cells, image, onTrial, onCell }: Props) {
  const [scale, setScale] = useState<"zero" | "zoom">("zero");
  const sample = dotLayout(model, axis, { zoomed: scale === "zoom", heading: false, shown });
  const caption = [
    scale === "zoom" && t("zoomed"),
    sample.hidden > 0 && t("outside", { count: sample.hidden, n: formatNumber(sample.hidden) }),
    t(axis.better === "higher" ? "axisHigher" : "axisLower", { label: metricLabel(axis), unit: axis.unit }),
  ];
  return (
    <ChartFrame
      title={title}
      note={note}
      sentence={dotSentence(shown, axis, model.origin)}
      before={controls}
      controls={<Toggle label={t("scaleOf", { title })} options={scales()} value={scale} onChange={setScale} />}
      legend={<DotLegend model={model} layout={sample} />}
      caption={caption.filter(Boolean).join(" ")}
      chart={(width, active) => {
        const heading = width < NARROW;
        const layout = dotLayout(model, axis, { zoomed: scale === "zoom", heading, shown });
        return <Plot layout={layout} axis={axis} origin={model.origin} width={width} heading={heading} active={active} onTrial={onTrial} onCell={onCell} />;
      }}
      table={<DotTable cells={shown} axis={axis} origin={model.origin} />}
      marks={dotMarks(sample, axis, { onTrial, onCell })}
      reading={{ text: t("dotReading"), anchor: "figures" }}
      image={image}
    />
  );
}

interface PlotProps extends Pick<Props, "onTrial" | "onCell"> {
  layout: DotLayout;
  axis: Axis;
  origin: ChartModel["origin"];
  width: number;
  heading: boolean;
  /** The key of the mark that the keyboard is on. */
  active: string | null;
}

function Plot({ layout, axis, origin, width, heading, active, onTrial, onCell }: PlotProps) {
  const longest = layout.rows.reduce((most, { label, isGroup }) => (isGroup ? most : Math.max(most, charactersOf(label))), 0);
  const left = heading ? 2 : Math.min(Math.max(110, 16 + longest * 6.9), width * 0.36);
  const ending = layout.lanes.reduce((most, { end }) => Math.max(most, end.length), 0);
  const right = Math.min(Math.max(74, 14 + ending * 6.4), width * 0.34);
  const room = width - left - right;
  const nested = layout.rows.some((row) => row.isGroup);
  const [full, faint] = [layout.rows.slice(1).filter((row) => !nested || row.isGroup), layout.rows.slice(1).filter((row) => nested && !row.isGroup)];
  const rules = (rows: readonly Row[]) => rows.map(({ top }) => ({ y: [top, top] as const }));
  const ends = layout.lanes.map((lane) => ({ ...lane, x: layout.domain[1] }));
  const names = fittedNames(layout.rows.map(({ label }) => label), left - 12);
  const notes = layout.lanes.filter((lane) => lane.summary === null).map((lane) => ({ ...lane, x: layout.domain[0] }));
  const ticks = niceTicks(layout.domain, room > 420 ? 6 : 3);
  const open = (lane: unknown) => onCell?.((lane as { payload?: Lane }).payload?.cell.id ?? "");
  return (
    <ScatterChart
      width={width}
      height={layout.height + 34}
      margin={{ top: 2, right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid horizontal={false} {...GRID} />
      <XAxis dataKey="x" {...numberAxis(layout.domain, ticks)} />
      <YAxis
        type="number"
        dataKey="y"
        domain={[0, layout.height]}
        reversed
        width={left}
        ticks={layout.rows.map((row) => row.y)}
        interval={0}
        axisLine={AXIS_LINE}
        tickLine={false}
        tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
          <RowName row={layout.rows[index]} name={names[index] ?? ""} x={Number(x)} y={Number(y)} left={left} heading={heading} />
        )}
      />
      <PlotLines lines={rules(faint)} stroke="var(--line)" strokeOpacity={0.45} />
      <PlotLines lines={rules(full)} stroke="var(--line)" />
      <PlotLines lines={layout.baselines.map(({ x, top, bottom }) => ({ x: [x, x], y: [top, bottom] }))} stroke="var(--ink-2)" strokeDasharray="5 4" />
      {layout.groups.map((group) => (
        <Scatter
          key={group.key}
          data={group.dots}
          isAnimationActive={false}
          style={onTrial && { cursor: "pointer" }}
          onClick={(dot: unknown) => {
            const { cellId, round } = (dot as { payload: Dot }).payload;
            onTrial?.(cellId, round);
          }}
          shape={(dot: { cx?: number; cy?: number; payload?: Dot }) => <TrialDot {...dot} color={seriesColor(group.color)} shape={seriesShape(group.shape)} isActive={dot.payload !== undefined && dotKey(dot.payload) === active} />}
        />
      ))}
      <Scatter data={layout.marks} isAnimationActive={false} tooltipType="none" shape={MedianTick} style={{ pointerEvents: "none" }}>
        <ErrorBar dataKey="error" direction="x" width={5} strokeWidth={1.75} stroke="var(--ink)" isAnimationActive={false} />
      </Scatter>
      <Scatter data={layout.published} isAnimationActive={false} tooltipType="none" shape={PublishedMark} style={{ pointerEvents: "none" }} />
      <Scatter data={ends} isAnimationActive={false} tooltipType="none" shape={LaneEnd} onClick={open} style={onCell && { cursor: "pointer" }} />
      <Scatter data={notes} isAnimationActive={false} tooltipType="none" shape={(point) => <LaneNote {...point} room={room} origin={origin} />} />
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        content={({ payload }) => {
          const dot = (payload?.[0] as { payload?: Dot } | undefined)?.payload;
          if (!dot?.round) return null;
          const lines = [
            [axis.metric, `${formatNumber(dot.x, axis.decimals)} ${axis.unit}`],
            [t("round"), String(dot.round)],
            ...(dot.leftOut === null ? [] : [[t("excludedWord"), leftOutText(dot.leftOut)] as const]),
            ...(dot.unsteady ? [[t("unsteady"), t("flagged")] as const] : []),
          ] as const;
          return <Tip title={dot.label} lines={lines} />;
        }}
      />
    </ScatterChart>
  );
}

/** The name of a row, beside or above its lanes, or of a group, above its rows. */
function RowName({ row, name, x, y, left, heading }: { row: Row | undefined; name: string; x: number; y: number; left: number; heading: boolean }) {
  if (!row) return null;
  if (row.isGroup) return <RowText x={heading ? x + 10 : x - left + 8} y={y} label={row.label} heading />;
  if (heading) return <RowText x={x + 10} y={y} label={row.label} heading />;
  return <RowText x={x} y={y} label={name} heading={false} />;
}
