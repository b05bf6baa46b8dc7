import { CartesianGrid, Line, LineChart, ReferenceDot, Tooltip, XAxis, YAxis } from "recharts";
import type { ImageHref } from "@/api/exports";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { Legend, type LegendItem } from "./Legend";
import { AXIS_LINE, AXIS_TICK, GRID } from "./axes";
import { percentileCurve, percentilesOf, percentileTicks, reportedMax, reportedPercentiles, type PercentilePoint } from "./percentileLayout";
import { axisEnd } from "./roleLayout";
import { niceTicks, tickDecimals } from "./ticks";
import { Tip } from "./Tip";

const t = messages("charts");

interface Props {
  /** Upper bounds of the bins in µs with their counts; may be empty. */
  histogram: readonly (readonly [number, number])[];
  metrics: Readonly<Record<string, number>>;
  operations: string;
  image?: ImageHref | undefined;
}

const HEIGHT = 230;
const curveItem = (): LegendItem => ({ key: "curve", label: t("atMost"), sample: <path d="M2 11H10V4H20" fill="none" stroke="var(--series-0)" strokeWidth={2} /> });
const dotItem = (): LegendItem => ({ key: "dot", label: t("reportedDot"), sample: <circle cx={11} cy={7} r={3.5} fill="var(--ink)" /> });

/** Latency of an open loop by percentile, on a logarithmic axis. */
export function LatencyPercentiles({ histogram, metrics, operations, image }: Props) {
  const reported = reportedPercentiles(metrics);
  const found = percentileCurve(histogram);
  const curve = found.length > 1 ? found : reported;
  if (curve.length === 0) return null;
  const max = reportedMax(metrics);
  const percentiles = (reported.length > 0 ? reported : percentilesOf(curve)).map(({ percent, ms }) => `p${percent} ${formatNumber(ms, 3)} ms`);
  const maximum = max === null ? [] : [t("maximum", { value: formatNumber(max, 3) })];
  return (
    <ChartFrame
      title={t("percentileTitle")}
      note={t("percentileNote", { operations })}
      sentence={t(reported.length > 0 ? "percentileSentence" : "percentileEstimated", { operations, figures: [...percentiles, ...maximum].join(", ") })}
      marks={(reported.length > 0 ? reported : percentilesOf(curve)).map(({ percent, ms }) => ({ key: String(percent), group: "", text: `p${percent}: ${formatNumber(ms, 3)} ms` }))}
      legend={<Legend items={reported.length > 0 ? [curveItem(), dotItem()] : [curveItem()]} />}
      caption={t("percentileCaption")}
      chart={(width) => <Curve curve={curve} reported={reported} width={width} />}
      image={image}
      table={<Figures reported={reported.length > 0 ? reported : percentilesOf(curve)} max={max} operations={operations} />}
    />
  );
}

function Curve({ curve, reported, width }: { curve: PercentilePoint[]; reported: readonly PercentilePoint[]; width: number }) {
  const end = Math.max(1, ...curve.map(({ nines }) => nines), ...reported.map(({ nines }) => nines));
  const top = axisEnd(Math.max(...curve.map(({ ms }) => ms), ...reported.map(({ ms }) => ms)));
  const named = percentileTicks(end);
  const ticks = niceTicks([0, top], 4);
  // Each step begins at the end of the previous one, the first at 0.
  const steps = [...curve.slice(0, 1).map((first) => ({ ...first, nines: 0 })), ...curve];
  return (
    <LineChart width={width} height={HEIGHT} margin={{ top: 6, right: 16, bottom: 0, left: 0 }} data={steps} accessibilityLayer={false}>
      <CartesianGrid {...GRID} />
      <XAxis
        type="number"
        dataKey="nines"
        domain={[0, end]}
        ticks={named.map(({ nines }) => nines)}
        tickFormatter={(value: number) => named.find(({ nines }) => nines === value)?.label ?? ""}
        tick={AXIS_TICK}
        axisLine={AXIS_LINE}
        tickLine={AXIS_LINE}
        interval={0}
      />
      <YAxis type="number" domain={[0, top]} ticks={ticks} tickFormatter={(value: number) => `${formatNumber(value, tickDecimals(ticks))} ms`} tick={AXIS_TICK} axisLine={false} tickLine={false} width={68} />
      <Line dataKey="ms" type="stepBefore" stroke="var(--series-0)" strokeWidth={1.75} dot={false} isAnimationActive={false} />
      {reported.map(({ nines, ms }) => (
        <ReferenceDot key={nines} x={nines} y={ms} r={3.5} fill="var(--ink)" stroke="none" />
      ))}
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: "var(--line-strong)" }}
        content={({ payload }) => {
          const point = (payload?.[0] as { payload?: PercentilePoint } | undefined)?.payload;
          return point ? <Tip title={`${Number(point.percent.toPrecision(6))} %`} lines={[[t("atMost"), `${formatNumber(point.ms, 3)} ms`]]} /> : null;
        }}
      />
    </LineChart>
  );
}

function Figures({ reported, max, operations }: { reported: readonly PercentilePoint[]; max: number | null; operations: string }) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t("shareOf", { operations })}</th>
          <th scope="col" className={table.num}>{t("atMostMs")}</th>
        </tr>
      </thead>
      <tbody>
        {reported.map(({ percent, ms }) => (
          <tr key={percent}>
            <th scope="row">{percent} %</th>
            <td className={table.num}>{formatNumber(ms, 3)}</td>
          </tr>
        ))}
        {max !== null && (
          <tr>
            <th scope="row">{t("all")}</th>
            <td className={table.num}>{formatNumber(max, 3)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
