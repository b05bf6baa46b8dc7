import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import type { ImageHref } from "@/api/exports";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { formatMicros, histogramBars, type HistogramBar } from "./histogramLayout";
import { AXIS_LINE, AXIS_TICK, GRID } from "./axes";
import { axisEnd } from "./roleLayout";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

const t = messages("charts");

interface Props {
  histogram: readonly (readonly [number, number])[];
  operations: string;
  /** Open loop: latency is measured from the scheduled start of each operation. */
  open?: boolean;
  image?: ImageHref | undefined;
}

const HEIGHT = 210;

/** A histogram of latency in the tool's own bins, which are not equally wide. */
export function LatencyHistogram({ histogram, operations, open = false, image }: Props) {
  const bars = histogramBars(histogram);
  if (bars.length === 0) return null;
  const all = bars.reduce((sum, { count }) => sum + count, 0);
  const span = (bar: HistogramBar) => `${formatMicros(bar.low)} – ${formatMicros(bar.high)}`;
  const ticks = niceTicks([0, axisEnd(bars.reduce((max, { percent }) => Math.max(max, percent), 0))], 4);
  return (
    <ChartFrame
      title={t("latency")}
      note={t("histogramNote", { n: formatNumber(all), operations })}
      sentence={t("histogramSentence", { n: formatNumber(all), operations, bars: bars.map((bar) => `${span(bar)} ${formatNumber(bar.percent, 1)} %`).join(", ") })}
      marks={bars.map((bar) => ({ key: String(bar.high), group: "", text: `${span(bar)}: ${formatNumber(bar.count)} ${operations}, ${formatNumber(bar.percent, 2)} %` }))}
      caption={t(open ? "histogramOpen" : "histogramClosed")}
      chart={(width) => (
        <BarChart width={width} height={HEIGHT} margin={{ top: 6, right: 12, bottom: 0, left: 0 }} data={bars} barCategoryGap={1} accessibilityLayer={false}>
          <CartesianGrid vertical={false} {...GRID} />
          <XAxis dataKey="high" tickFormatter={formatMicros} tick={AXIS_TICK} axisLine={AXIS_LINE} tickLine={AXIS_LINE} interval={Math.max(0, Math.ceil(bars.length / (width / 70)) - 1)} />
          <YAxis
            domain={[0, ticks.at(-1) ?? 1]}
            ticks={ticks}
            tickFormatter={(value: number) => `${formatNumber(value, tickDecimals(ticks))} %`}
            tick={AXIS_TICK}
            axisLine={false}
            tickLine={false}
            width={52}
          />
          <Bar dataKey="percent" fill="var(--series-0)" isAnimationActive={false} />
          <Tooltip isAnimationActive={false} cursor={{ fill: "var(--surface-2)" }} content={({ payload }) => {
            const bar = (payload?.[0] as { payload?: HistogramBar } | undefined)?.payload;
            return bar ? <Tip title={span(bar)} lines={[[operations, formatNumber(bar.count)], [t("ofAll"), `${formatNumber(bar.percent, 2)} %`]]} /> : null;
          }} />
        </BarChart>
      )}
      image={image}
      table={
        <table className={table.table}>
          <thead><tr><th scope="col">{t("latency")}</th><th scope="col" className={table.num}>{operations}</th><th scope="col" className={table.num}>{t("ofAll")}</th></tr></thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.high}><th scope="row">{span(bar)}</th><td className={table.num}>{formatNumber(bar.count)}</td><td className={table.num}>{formatNumber(bar.percent, 2)} %</td></tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}
