import { useState } from "react";
import type { ImageHref } from "@/api/exports";
import type { CellSeries } from "@/api/generated";
import { formatNumber, sentenceCase } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { Select } from "@/components/Select";
import { messages } from "@/messages";
import { ChartFrame } from "@/charts/ChartFrame";
import type { ChartMark } from "@/charts/frame/ChartMarks";
import { Legend } from "@/charts/Legend";
import { roleName } from "@/charts/roleNames";
import type { RoleName } from "@/theme/palette";
import styles from "@/charts/panels/Panels.module.css";
import { seriesLines, trialName, type Quantity, type SeriesLine, type SeriesPoint } from "./seriesLayout";
import { SeriesPlot } from "./SeriesPlot";
import { SeriesTable } from "./SeriesTable";

const t = messages("charts");
const ALL = "all";
const NONE = "";
/** With more points than this the keyboard moves from trial to trial only. */
const MANY = 1500;

interface Props {
  series: CellSeries;
  /** The label of the cell. */
  cell: string;
  image?: ((role: string) => ImageHref) | undefined;
  onTrial?: ((round: number) => void) | undefined;
}

interface Mark extends ChartMark {
  round: number;
  quantity: Quantity;
  point: SeriesPoint | null;
}

/** The trials of a cell over time: rate above CPU on one axis of time, one thin line for each trial, the warm-up shaded. */
export function SeriesCard({ series, cell, image, onTrial }: Props) {
  const [role, setRole] = useState(ALL);
  const [round, setRound] = useState(NONE);
  const chosen = role in series.cpu ? role : ALL;
  const roles = Object.keys(series.cpu);
  const labels: Record<Quantity, string> = { rate: series.rate ? metricLabel(series.rate) : "", cpu: chosen === ALL ? t("seriesCpuAll") : t("seriesCpuOf", { role: roleName(chosen as RoleName) }) };
  const panels = [
    ...(series.rate ? [{ quantity: "rate" as const, axis: series.rate, lines: seriesLines(series, "rate", chosen) }] : []),
    ...(series.cpu[chosen] ? [{ quantity: "cpu" as const, axis: series.cpu[chosen], lines: seriesLines(series, "cpu", chosen) }] : []),
  ];
  const marks = panels.flatMap(({ quantity, axis, lines }) => marksOf(series, lines, quantity, (value) => `${formatNumber(value, axis.decimals)} ${axis.unit}`, onTrial));
  const title = t("seriesTitle", { cell });
  return (
    <ChartFrame
      title={title}
      note={t(series.rate ? "seriesNote" : "seriesNoteCpu", { tool: series.tool })}
      sentence={t("seriesSentence", { count: series.trials.length, n: formatNumber(series.trials.length), cell, seconds: formatNumber(series.seconds, 0), warmUp: formatNumber(series.warm_up_s, 0) })}
      before={
        <>
          {roles.length > 1 && <Select label={t("seriesRole")} options={roles.map((each) => ({ value: each, label: each === ALL ? t("seriesAllRoles") : roleName(each as RoleName) }))} value={chosen} onChange={setRole} />}
          <Select label={t("seriesHighlight")} options={[{ value: NONE, label: t("seriesAllTrials") }, ...series.trials.map((trial) => ({ value: String(trial.round), label: trialName(trial) }))]} value={round} onChange={setRound} />
        </>
      }
      legend={<Lines series={series} />}
      caption={captionOf(series)}
      chart={(width, active) => {
        const mark = marks.find(({ key }) => key === active);
        return (
          <div className={styles.stack}>
            {panels.map(({ quantity, axis, lines }) => (
              <div key={quantity}>
                <p className={styles.axis}>{t("axisTitle", { label: sentenceCase(labels[quantity]), unit: axis.unit, better: t(axis.better === "higher" ? "higherBetter" : "lowerBetter") })}</p>
                <SeriesPlot
                  lines={lines}
                  axis={axis}
                  label={labels[quantity]}
                  seconds={series.seconds}
                  warmUp={series.warm_up_s}
                  width={width}
                  round={mark?.round ?? (round === NONE ? null : Number(round))}
                  point={mark?.quantity === quantity ? mark.point : null}
                />
              </div>
            ))}
          </div>
        );
      }}
      marks={marks}
      reading={{ text: t("seriesReading"), anchor: "figures" }}
      image={image?.(chosen === ALL ? NONE : chosen)}
      table={<SeriesTable series={series} role={chosen} labels={labels} />}
    />
  );
}

function marksOf({ trials }: CellSeries, lines: readonly SeriesLine[], quantity: Quantity, figure: (value: number) => string, onTrial: Props["onTrial"]): Mark[] {
  const all = lines.reduce((sum, { parts }) => sum + parts.reduce((of, { points }) => of + points.length, 0), 0);
  return lines.flatMap(({ round, parts }, index): Mark[] => {
    const trial = trials[index];
    if (!trial) return [];
    const common = { group: `${quantity} ${round}`, round, quantity, ...(onTrial && { open: () => onTrial(round) }) };
    const name = trialName(trial);
    if (all > MANY) return [{ ...common, key: `${quantity} ${round}`, point: null, text: name }];
    return parts.flatMap(({ phase, points }) =>
      points.map((point) => ({
        ...common,
        key: `${quantity} ${round} ${phase} ${point.t}`,
        point,
        text: t(phase === "warmUp" ? "markSeriesWarmUp" : "markSeries", { trial: name, t: formatNumber(point.t, 1), value: figure(point.value) }),
      })),
    );
  });
}

function Lines({ series: { trials, warm_up_s: warmUp } }: { series: CellSeries }) {
  return (
    <Legend
      items={[
        { key: "trial", label: t("legendTrial"), sample: <path d="M2 7H20" stroke="var(--series-0)" strokeWidth={1.25} /> },
        ...(trials.some(({ used }) => !used) ? [{ key: "unused", label: t("legendTrialUnused"), sample: <path d="M2 7H20" stroke="var(--ink-3)" strokeWidth={1.25} strokeDasharray="4 3" /> }] : []),
        { key: "chosen", label: t("legendTrialChosen"), sample: <path d="M2 7H20" stroke="var(--accent)" strokeWidth={2.25} /> },
        ...(warmUp > 0 ? [{ key: "warm-up", label: t("legendWarmUp", { seconds: formatNumber(warmUp, 0) }), sample: <rect x={2} y={1} width={18} height={12} fill="var(--line)" stroke="var(--line-strong)" strokeDasharray="3 3" /> }] : []),
      ]}
    />
  );
}

function captionOf({ trials, left_out: leftOut, warm_up_s: warmUp }: CellSeries): string {
  const most = trials.reduce((max, trial) => Math.max(max, trial.intervals_per_point), 1);
  return [
    warmUp > 0 && trials.every(({ warm_up: { values } }) => (values ?? []).length === 0) && t("seriesNoWarmUp"),
    most > 1 && t("seriesMeans", { count: most, n: formatNumber(most) }),
    leftOut > 0 && t("trialsLeftOut", { count: leftOut, n: formatNumber(leftOut) }),
  ]
    .filter(Boolean)
    .join(" ");
}
