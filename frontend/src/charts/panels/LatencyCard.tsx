import { useState } from "react";
import type { ImageHref } from "@/api/exports";
import type { LatencyPanel } from "@/api/generated";
import { formatInterval, formatNumber } from "@/components/format";
import { ShowMore } from "@/components/ShowMore";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { seriesColor, seriesShape } from "@/theme/palette";
import { ChartFrame } from "@/charts/ChartFrame";
import { errorOf, type IntervalMark } from "@/charts/intervalLayout";
import { IntervalRows } from "@/charts/IntervalRows";
import { Legend } from "@/charts/Legend";
import { Symbol } from "@/charts/Symbol";

const t = messages("charts");
const ROW = 28;
/** More rows than this at once are slow to draw. */
const STEP = 40;

interface Props {
  panel: LatencyPanel;
  image?: ImageHref | undefined;
  onCell?: ((cellId: string) => void) | undefined;
}

/** Latency across cells: a mark with its interval for each percentile that the tool reports. */
export function LatencyCard({ panel, image, onCell }: Props) {
  const [most, setMost] = useState(STEP);
  const rows = panel.rows.slice(0, most);
  const named = (name: string) => (name === "mean" ? t("mean") : name);
  const unit = "ms";
  const marks = rows.flatMap((row, at) =>
    panel.names.flatMap((name, index): IntervalMark[] => {
      const figure = row.figures[name];
      if (!figure) return [];
      return [
        {
          key: `${row.cell_id} ${name}`,
          row: at,
          x: figure.median,
          y: (at + 0.5) * ROW,
          error: errorOf(figure.median, figure.interval, panel.domain),
          color: index,
          shape: index,
          title: row.label,
          lines: [
            [named(name), `${formatNumber(figure.median, panel.decimals)} ${unit}`],
            [t("interval95"), formatInterval(figure.interval, panel.decimals)],
            [t("n"), formatNumber(figure.n)],
          ],
        },
      ];
    }),
  );
  const isOpen = panel.loop === "open";
  return (
    <ChartFrame
      title={t(isOpen ? "latencyOpenTitle" : "latencyClosedTitle")}
      note={t(isOpen ? "latencyOpenNote" : "latencyClosedNote")}
      sentence={t("latencySentence", { count: rows.length, figures: rows.map(({ label, figures }) => `${label}: ${panel.names.map((name) => `${named(name)} ${formatNumber(figures[name]?.median, panel.decimals)}`).join(", ")}`).join("; ") })}
      legend={<Legend items={panel.names.map((name, index) => ({ key: name, label: named(name), sample: <Symbol shape={seriesShape(index)} cx={11} cy={7} size={9} fill={seriesColor(index)} stroke="var(--surface)" /> }))} />}
      caption={[t("latencyCaption"), panel.left_out > 0 && t("cellsLeftOut", { count: panel.left_out, n: formatNumber(panel.left_out) })].filter(Boolean).join(" ")}
      chart={(width, active) => (
        <IntervalRows width={width} height={rows.length * ROW} rows={rows.map((row, at) => ({ key: row.cell_id, label: row.label, y: (at + 0.5) * ROW, top: at * ROW }))} marks={marks} domain={panel.domain} active={active} />
      )}
      marks={marks.map((mark) => {
        const [[name, value], [, interval], [, n]] = mark.lines as [readonly [string, string], readonly [string, string], readonly [string, string]];
        const cellId = rows[mark.row]?.cell_id;
        return { key: mark.key, group: mark.title, text: t("markLatency", { cell: mark.title, name, value, interval, n }), ...(onCell && cellId && { open: () => onCell(cellId) }) };
      })}
      reading={{ text: t(isOpen ? "latencyOpenReading" : "latencyClosedReading"), anchor: "figures" }}
      image={image}
      table={<Figures panel={panel} named={named} />}
      below={<ShowMore shown={rows.length} all={panel.rows.length} step={STEP} item="cell" onMore={() => setMost(most + STEP)} />}
    />
  );
}

function Figures({ panel, named }: { panel: LatencyPanel; named: (name: string) => string }) {
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{t(panel.loop === "open" ? "latencyOpenTitle" : "latencyClosedTitle")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("cell")}</th>
          {panel.names.flatMap((name) => [
            <th key={name} scope="col" className={table.num}>{named(name)} (ms)</th>,
            <th key={`${name} interval`} scope="col" className={table.num}>{t("interval95")}</th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {panel.rows.map((row) => (
          <tr key={row.cell_id}>
            <th scope="row">{row.label}</th>
            {panel.names.flatMap((name) => [
              <td key={name} className={table.num}>{formatNumber(row.figures[name]?.median, panel.decimals)}</td>,
              <td key={`${name} interval`} className={table.num}>{formatInterval(row.figures[name]?.interval, panel.decimals)}</td>,
            ])}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
