import { useState } from "react";
import type { ImageHref } from "@/api/exports";
import type { Axis, Sweep } from "@/api/generated";
import { formatInterval, formatNumber, sentenceCase } from "@/components/format";
import { Select } from "@/components/Select";
import { ShowMore } from "@/components/ShowMore";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { ChartFrame } from "@/charts/ChartFrame";
import type { ChartMark } from "@/charts/frame/ChartMarks";
import { Legend } from "@/charts/Legend";
import { Symbol } from "@/charts/Symbol";
import { DIRECT, levelTexts, sweepLayout } from "./sweepLayout";
import { SweepPlot } from "./SweepPlot";
import styles from "./Panels.module.css";

const t = messages("charts");
/** More series than this at once are hard to tell apart. */
const STEP = 14;
/** The metric of the lower panel, where a proxy took CPU. */
const PROXY = "proxy_cpu_cores";

interface Props {
  sweep: Sweep;
  /** The image addresses with this metric in the lower panel. */
  image?: ((second: string | undefined) => ImageHref) | undefined;
  onCell?: ((cellId: string) => void) | undefined;
}

/** Throughput and, below it on the same levels, CPU over one numeric factor. */
export function SweepCard({ sweep, image, onCell }: Props) {
  const [most, setMost] = useState(STEP);
  const [chosen, choose] = useState("");
  const [rate, ...others] = sweep.axes;
  if (!rate) return null;
  const axis = (name: string) => others.find(({ metric }) => metric === name);
  const second = axis(chosen) ?? axis(PROXY) ?? others[0];
  const axes = second ? [rate, second] : [rate];
  const title = t("sweepTitle", { factor: sweep.label });
  const series = sweep.series.slice(0, most);
  return (
    <ChartFrame
      title={title}
      note={t("sweepNote")}
      sentence={t("sweepSentence", { count: series.length, factor: sweep.label, levels: levelTexts(sweep).join(", "), figures: figuresOf(sweep, rate, most) })}
      before={
        others.length > 1 && second && (
          <Select label={t("sweepSecond")} options={others.map(({ metric, label }) => ({ value: metric, label: sentenceCase(label) }))} value={second.metric} onChange={choose} />
        )
      }
      legend={<Legend items={series.map(({ label, color, shape }) => ({ key: label, label, sample: <Symbol shape={seriesShape(shape)} cx={11} cy={7} size={9} fill={seriesColor(color)} stroke="var(--surface)" /> }))} />}
      caption={[t("sweepCaption"), sweep.left_out > 0 && t("seriesLeftOut", { count: sweep.left_out, n: formatNumber(sweep.left_out) })].filter(Boolean).join(" ")}
      chart={(width, active) => (
        <div className={styles.stack} data-labelled={series.length <= DIRECT || undefined}>
          {axes.map((axis) => (
            <div key={axis.metric}>
              <p className={styles.axis}>{t("axisTitle", { label: sentenceCase(axis.label), unit: axis.unit, better: t(axis.better === "higher" ? "higherBetter" : "lowerBetter") })}</p>
              <SweepPlot sweep={sweep} axis={axis} series={most} width={width} active={active} onCell={onCell} />
            </div>
          ))}
        </div>
      )}
      marks={axes.flatMap((axis) => marksOf(sweep, axis, most, onCell))}
      reading={{ text: t("sweepReading"), anchor: "figures" }}
      image={image?.(second?.metric)}
      table={<Figures sweep={sweep} axes={axes} />}
      below={<ShowMore shown={series.length} all={sweep.series.length} step={STEP} item="series" onMore={() => setMost(most + STEP)} />}
    />
  );
}

function marksOf(sweep: Sweep, axis: Axis, series: number, onCell: Props["onCell"]): ChartMark[] {
  return sweepLayout(sweep, axis, series, 1).points.map(({ key, cellId, label, level, figure }) => ({
    key,
    group: `${axis.metric} ${label}`,
    text: t("markSweep", { series: label, factor: sweep.label, level, value: formatNumber(figure.median, axis.decimals), unit: axis.unit, interval: formatInterval(figure.interval, axis.decimals), n: formatNumber(figure.n) }),
    ...(onCell && { open: () => onCell(cellId) }),
  }));
}

function figuresOf(sweep: Sweep, axis: Axis, series: number): string {
  return sweep.series
    .slice(0, series)
    .map(({ label, figures }) => `${label}: ${(figures[axis.metric] ?? []).map((figure) => formatNumber(figure?.median, axis.decimals)).join(", ")}`)
    .join("; ");
}

function Figures({ sweep, axes }: { sweep: Sweep; axes: readonly Axis[] }) {
  const texts = levelTexts(sweep);
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{t("sweepTitle", { factor: sweep.label })}</caption>
      <thead>
        <tr>
          <th scope="col">{t("series")}</th>
          <th scope="col" className={table.num}>{sweep.label}</th>
          {axes.flatMap((axis) => [
            <th key={axis.metric} scope="col" className={table.num}>{axis.label} ({axis.unit})</th>,
            <th key={`${axis.metric} interval`} scope="col" className={table.num}>{t("interval95")}</th>,
          ])}
          <th scope="col" className={table.num}>{t("n")}</th>
        </tr>
      </thead>
      <tbody>
        {sweep.series.flatMap((series) =>
          texts.map((text, level) => {
            const figures = axes.map((axis) => ({ axis, figure: series.figures[axis.metric]?.[level] }));
            if (figures.every(({ figure }) => !figure)) return null;
            return (
              <tr key={`${series.label} ${text}`}>
                <th scope="row">{series.label}</th>
                <td className={table.num}>{text}</td>
                {figures.flatMap(({ axis, figure }) => [
                  <td key={axis.metric} className={table.num}>{formatNumber(figure?.median, axis.decimals)}</td>,
                  <td key={`${axis.metric} interval`} className={table.num}>{formatInterval(figure?.interval, axis.decimals)}</td>,
                ])}
                <td className={table.num}>{formatNumber(figures.find(({ figure }) => figure)?.figure?.n)}</td>
              </tr>
            );
          }),
        )}
      </tbody>
    </table>
  );
}
