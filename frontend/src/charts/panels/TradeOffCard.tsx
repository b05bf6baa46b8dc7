import { CartesianGrid, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from "recharts";
import type { ImageHref } from "@/api/exports";
import type { TradeOff, TradeOffPoint } from "@/api/generated";
import { formatInterval, formatNumber, sentenceCase } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { AXIS_TICK, GRID, numberAxis } from "@/charts/axes";
import { ChartFrame } from "@/charts/ChartFrame";
import { Legend, type LegendItem } from "@/charts/Legend";
import { PlotLines } from "@/charts/PlotLines";
import { Symbol } from "@/charts/Symbol";
import { niceTicks, tickDecimals } from "@/charts/ticks";
import { Tip } from "@/charts/Tip";
import { crosses, stairs } from "./tradeOffLayout";
import styles from "./Panels.module.css";

const t = messages("charts");
const HEIGHT = 320;
const LEFT = 64;

interface Props {
  panel: TradeOff;
  /** The levels of the run's series with their colours. */
  legend: readonly LegendItem[];
  image?: ImageHref | undefined;
  onCell?: ((cellId: string) => void) | undefined;
}

/** Throughput against CPU cost: a cross of both intervals for each cell, and the cells that none dominates joined by steps. */
export function TradeOffCard({ panel, legend, image, onCell }: Props) {
  const { cost_axis: cost, rate_axis: rate, points, frontier, left_out } = panel;
  const labels = frontier.map((id) => points.find(({ cell_id }) => cell_id === id)?.label ?? id);
  const steps = { key: "frontier", label: t("frontier"), sample: <path d="M1 12H8V6H15V2H21" fill="none" stroke="var(--ink)" strokeWidth={1.5} /> };
  const lighter = { key: "dominated", label: t("dominated"), sample: <Symbol shape="circle" cx={11} cy={7} size={9} fill="var(--ink-2)" stroke="var(--ink-2)" opacity={0.3} /> };
  return (
    <ChartFrame
      title={t("tradeOffTitle")}
      note={t("tradeOffNote", { rate: sentenceCase(rate.label), rateUnit: rate.unit, cost: cost.label, costUnit: cost.unit })}
      sentence={t("tradeOffSentence", { count: points.length, all: formatNumber(points.length), frontier: labels.join("; ") })}
      legend={<Legend items={[...legend, steps, lighter]} />}
      caption={[t("tradeOffCaption"), left_out > 0 && t("cellsLeftOut", { count: left_out, n: formatNumber(left_out) })].filter(Boolean).join(" ")}
      chart={(width, active) => <Plot panel={panel} width={width} active={active} onCell={onCell} />}
      marks={points.map((point) => ({ key: point.cell_id, group: point.dominated ? "dominated" : "frontier", text: textOf(panel, point), ...(onCell && { open: () => onCell(point.cell_id) }) }))}
      reading={{ text: t("tradeOffReading"), anchor: "figures" }}
      image={image}
      table={<Figures panel={panel} />}
    />
  );
}

function textOf({ cost_axis: cost, rate_axis: rate }: TradeOff, point: TradeOffPoint): string {
  return t(point.dominated ? "markDominated" : "markFrontier", {
    cell: point.label,
    rate: formatNumber(point.rate.median, rate.decimals),
    rateUnit: rate.unit,
    rateInterval: formatInterval(point.rate.interval, rate.decimals),
    cost: formatNumber(point.cost.median, cost.decimals),
    costUnit: cost.unit,
    costInterval: formatInterval(point.cost.interval, cost.decimals),
  });
}

function Plot({ panel, width, active, onCell }: Pick<Props, "panel" | "onCell"> & { width: number; active: string | null }) {
  const { cost_axis: cost, rate_axis: rate, points } = panel;
  const [high, low] = [rate.domain, cost.domain] as const;
  const ticks = niceTicks([high[0], high[1]], 5);
  const data = points.map((point) => ({ ...point, x: point.cost.median, y: point.rate.median }));
  const lines = crosses(points);
  return (
    <div>
      <p className={styles.axis}>{t("tradeOffBetter")}</p>
      <ScatterChart width={width} height={HEIGHT} margin={{ top: 8, right: 18, bottom: 16, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid {...GRID} />
        <XAxis dataKey="x" {...numberAxis([low[0], low[1]], niceTicks([low[0], low[1]], width > 560 ? 8 : 4))} label={{ value: `${cost.label} (${cost.unit})`, position: "insideBottom", offset: -10, fontSize: 12, fill: "var(--ink-3)" }} />
        <YAxis type="number" dataKey="y" domain={[high[0], high[1]]} ticks={ticks} tickFormatter={(value: number) => formatNumber(value, tickDecimals(ticks))} tick={AXIS_TICK} axisLine={false} tickLine={false} width={LEFT} />
        <PlotLines lines={stairs(panel)} stroke="var(--ink)" strokeWidth={1.5} />
        <PlotLines lines={lines.dominated} stroke="var(--ink-2)" strokeOpacity={0.4} />
        <PlotLines lines={lines.frontier} stroke="var(--ink)" strokeWidth={1.5} />
        <Scatter
          data={data}
          isAnimationActive={false}
          style={onCell && { cursor: "pointer" }}
          onClick={(dot: unknown) => onCell?.((dot as { payload: TradeOffPoint }).payload.cell_id)}
          shape={({ cx = 0, cy = 0, payload }: { cx?: number; cy?: number; payload?: TradeOffPoint }) =>
            payload ? (
              <g>
                {payload.cell_id === active && <circle cx={cx} cy={cy} r={10} fill="none" stroke="var(--focus)" strokeWidth={2} />}
                <Symbol shape={seriesShape(payload.shape)} cx={cx} cy={cy} size={10} fill={seriesColor(payload.color)} stroke={seriesColor(payload.color)} opacity={payload.dominated ? 0.35 : 1} />
              </g>
            ) : (
              <g />
            )
          }
        />
        <Tooltip
          cursor={false}
          isAnimationActive={false}
          content={({ payload }) => {
            const point = (payload?.[0] as { payload?: TradeOffPoint } | undefined)?.payload;
            if (!point) return null;
            const lines = [
              [rate.label, `${formatNumber(point.rate.median, rate.decimals)} ${rate.unit} (${formatInterval(point.rate.interval, rate.decimals)})`],
              [cost.label, `${formatNumber(point.cost.median, cost.decimals)} ${cost.unit} (${formatInterval(point.cost.interval, cost.decimals)})`],
            ] as const;
            return <Tip title={point.label} lines={lines} />;
          }}
        />
      </ScatterChart>
    </div>
  );
}

function Figures({ panel: { cost_axis: cost, rate_axis: rate, points } }: { panel: TradeOff }) {
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{t("tradeOffTitle")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("cell")}</th>
          <th scope="col" className={table.num}>{rate.label} ({rate.unit})</th>
          <th scope="col" className={table.num}>{t("interval95")}</th>
          <th scope="col" className={table.num}>{cost.label} ({cost.unit})</th>
          <th scope="col" className={table.num}>{t("interval95")}</th>
          <th scope="col">{t("frontier")}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.cell_id}>
            <th scope="row">{point.label}</th>
            <td className={table.num}>{formatNumber(point.rate.median, rate.decimals)}</td>
            <td className={table.num}>{formatInterval(point.rate.interval, rate.decimals)}</td>
            <td className={table.num}>{formatNumber(point.cost.median, cost.decimals)}</td>
            <td className={table.num}>{formatInterval(point.cost.interval, cost.decimals)}</td>
            <td>{t(point.dominated ? "isDominated" : "onFrontier")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
