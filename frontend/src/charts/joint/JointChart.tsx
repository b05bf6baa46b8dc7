import { useState } from "react";
import type { ImageHref } from "@/api/exports";
import type { Axis, ChartCell, ChartModel } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { rateNamed } from "@/components/rates";
import { ShowMore } from "@/components/ShowMore";
import { Toggle } from "@/components/Toggle";
import { factName } from "@/components/factName";
import { messages } from "@/messages";
import { ChartFrame } from "@/charts/ChartFrame";
import { fittedNames } from "@/charts/fittedNames";
import { charactersOf } from "@/charts/textWidth";
import styles from "./JointChart.module.css";
import { jointDots, jointMarks } from "./jointDots";
import { answerFirst, drawnFirst, jointCells, jointLayout, type JointLayout } from "./jointLayout";
import { JointLegend } from "./JointLegend";
import { CpuPlot, RatePlot } from "./JointPlots";
import { JointRows } from "./JointRows";
import { jointSentence } from "./jointSentence";
import { JointTable } from "./JointTable";
import { placeColumns } from "./columns";

const t = messages("answer");
const charts = messages("charts");

interface Props {
  model: ChartModel;
  /** The axis of throughput, or of the run's first metric. */
  axis: Axis;
  /** The cells that match a filter, by default all. */
  matching?: readonly ChartCell[];
  /** The number of cells that are drawn at first: all of some, and fewer of many. */
  first?: number;
  /** The number of cells that are added on request. */
  step: number;
  /** The cell whose comparison answers the question. */
  answerId: string | null;
  /** The image addresses of the chart. */
  image?: ImageHref | undefined;
  onTrial?: (cellId: string, round: number) => void;
  onCell?: (cellId: string) => void;
}

/** Below this width, a cell's name and figures are above its plots. */
const NARROW = 620;
const scales = () =>
  [
    { value: "zero", label: charts("fromZero") },
    { value: "zoom", label: charts("zoom"), title: charts("zoomTitle") },
  ] as const;

/**
 * Throughput and CPU by role on shared rows: the values of all trials on the left, the cores of
 * each role on the right.
 */
export function JointChart(props: Props) {
  const { model, axis, matching, step, answerId, image, onTrial, onCell } = props;
  const [scale, setScale] = useState<"zero" | "zoom">("zero");
  const [added, setAdded] = useState(0);
  const all = jointCells(model);
  const kept = matching && new Set(matching.map(({ id }) => id));
  const left = answerFirst(
    kept ? all.filter(({ id }) => kept.has(id)) : all,
    answerId,
    axis.metric,
  );
  const shown = left.slice(0, (props.first ?? drawnFirst(left.length)) + added);
  const laidOut = (isNarrow: boolean) =>
    jointLayout(model, axis, { shown, isZoomed: scale === "zoom", isNarrow });
  const wide = laidOut(false);
  const dots = jointDots(wide, axis);
  const { rate, cpu } = wide;
  const isEmpty = isTerminal(model.state) && dots.medians.length === 0 && dots.hidden === 0;
  const hidden = all.length - left.length;
  const title = t(cpu.isMeasured ? "jointTitle" : "throughput");
  const caption = [
    !cpu.isMeasured && !isEmpty && t("cpuMissing"),
    rate.isLog && t("logAxis"),
    !rate.isLog && scale === "zoom" && charts("zoomed"),
    dots.hidden > 0 && charts("outside", { count: dots.hidden, n: formatNumber(dots.hidden) }),
    cpu.isBeyond && charts("ceilingBeyond", { count: cpu.cores ?? 0, n: formatNumber(cpu.cores) }),
    hidden > 0 && t("hiddenCells", { count: hidden, n: formatNumber(hidden) }),
  ].filter(Boolean);
  return (
    <ChartFrame
      title={title}
      sentence={jointSentence(wide, axis, model.origin)}
      controls={
        !rate.isLog &&
        !isEmpty && (
          <Toggle
            label={charts("scaleOf", { title })}
            options={scales()}
            value={scale}
            onChange={setScale}
          />
        )
      }
      legend={!isEmpty && <JointLegend dots={dots} roles={cpu.roles} />}
      caption={caption.length > 0 ? caption.join(" ") : wide.isProvisional && "\u00a0"}
      chart={(width, active) => (
        <Drawn
          wide={wide}
          laidOut={laidOut}
          width={width}
          {...{ model, axis, active, isEmpty, onTrial, onCell }}
        />
      )}
      table={<JointTable layout={wide} axis={axis} origin={model.origin} />}
      marks={jointMarks(wide, dots, axis, { onTrial, onCell })}
      below={
        <ShowMore
          shown={shown.length}
          all={left.length}
          step={step}
          item="cell"
          onMore={() => setAdded(added + step)}
        />
      }
      image={image}
      reading={{ text: t("jointReading"), anchor: "figures" }}
    />
  );
}

interface DrawnProps {
  wide: JointLayout;
  laidOut: (isNarrow: boolean) => JointLayout;
  model: ChartModel;
  axis: Axis;
  width: number;
  active: string | null;
  /** Whether no cell has a figure, nor will have one: there are texts alone. */
  isEmpty: boolean;
  onTrial: Props["onTrial"];
  onCell: Props["onCell"];
}

function Drawn({
  wide,
  laidOut,
  model,
  axis,
  width,
  active,
  isEmpty,
  onTrial,
  onCell,
}: DrawnProps) {
  const head = charactersOf(headOf(model));
  const beside = placeColumns(wide, width, false, head);
  const isNarrow = width < NARROW || !beside.fits;
  const layout = isNarrow ? laidOut(true) : wide;
  const columns = isNarrow ? placeColumns(layout, width, true, head) : beside;
  const names = fittedNames(
    layout.lines.map(({ name }) => name),
    columns.name,
  );
  return (
    <div
      className={styles.chart}
      data-narrow={isNarrow || undefined}
      data-empty={isEmpty || undefined}
    >
      {!isEmpty && <Heads {...{ layout, model, axis, isNarrow }} tracks={columns.tracks} />}
      <div className={styles.lines} style={{ height: layout.height }}>
        <JointRows
          layout={layout}
          names={names}
          metric={axis.metric}
          origin={model.origin}
          columns={isNarrow ? undefined : columns.tracks}
          {...{ active, onCell }}
        />
        {!isEmpty && (
          <div
            className={styles.plot}
            style={{ left: columns.rate.left, width: columns.rate.width }}
          >
            <RatePlot
              layout={layout}
              dots={jointDots(layout, axis)}
              width={columns.rate.width}
              {...{ axis, active, onTrial }}
            />
          </div>
        )}
        {layout.cpu.isMeasured && (
          <div className={styles.plot} style={{ left: columns.cpu.left, width: columns.cpu.width }}>
            <CpuPlot layout={layout} width={columns.cpu.width} />
          </div>
        )}
      </div>
    </div>
  );
}

/** The name of the series' factor, where its levels are switches. */
function headOf({ series_factor: factor, legend }: ChartModel): string {
  if (legend.length < 2) return "";
  return factor === "userland_proxy" ? "userland-proxy" : factName(factor);
}

/** The names of the columns. */
function Heads({
  layout: { cpu },
  model,
  axis,
  tracks,
  isNarrow,
}: Pick<DrawnProps, "model" | "axis"> & {
  layout: JointLayout;
  tracks: string;
  isNarrow: boolean;
}) {
  const better = charts(axis.better === "higher" ? "higherBetter" : "lowerBetter");
  const unit = axis.unit && axis.unit !== "1/s" ? ` (${axis.unit})` : "";
  const rate = `${metricLabel(axis)}${unit}, ${better}`;
  const short = (isNarrow && rateNamed(axis.metric)?.short) || null;
  const cores =
    model.cores === null
      ? t("cpuHead")
      : t("cpuHeadOf", { count: model.cores, n: formatNumber(model.cores) });
  return (
    <div className={styles.heads} style={{ gridTemplateColumns: tracks }}>
      <span className={styles.seriesHead}>{headOf(model)}</span>
      <span className={styles.rateHead} title={rate}>
        {short ? `${short}, ${better}` : rate}
      </span>
      <span className={styles.cpuHead}>{cpu.isMeasured && cores}</span>
      <span className={styles.coresHead}>
        {cpu.isMeasured && t(cpu.hasProxy ? "proxyHead" : "usedHead")}
      </span>
    </div>
  );
}
