import type { CellSeries } from "@/api/generated";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { seriesLines, trialName, type Quantity } from "./seriesLayout";

const t = messages("charts");
/** More rows than this are slow to draw; the operation of the API has all. */
export const MOST_ROWS = 3000;

interface Props {
  series: CellSeries;
  role: string;
  labels: Record<Quantity, string>;
}

/** The same figures as tables: one row for each point of each trial. */
export function SeriesTable({ series, role, labels }: Props) {
  return (
    <>
      {series.rate && <Points series={series} quantity="rate" role={role} label={labels.rate} unit={series.rate.unit} decimals={series.rate.decimals} />}
      {series.cpu[role] && <Points series={series} quantity="cpu" role={role} label={labels.cpu} unit={t("coresLow")} decimals={series.cpu[role].decimals} />}
    </>
  );
}

interface PointsProps {
  series: CellSeries;
  quantity: Quantity;
  role: string;
  label: string;
  unit: string;
  decimals: number;
}

function Points({ series, quantity, role, label, unit, decimals }: PointsProps) {
  const names = new Map(series.trials.map((trial) => [trial.round, trialName(trial)]));
  const rows = seriesLines(series, quantity, role).flatMap(({ round, parts }) => parts.flatMap(({ phase, points }) => points.map((point) => ({ round, phase, ...point }))));
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t("seriesTrial")}</th>
          <th scope="col">{t("seriesPhase")}</th>
          <th scope="col" className={table.num}>{t("tSeconds")}</th>
          <th scope="col" className={table.num}>{t("seriesColumn", { label, unit })}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST_ROWS).map(({ round, phase, t: at, value }) => (
          <tr key={`${round} ${phase} ${at}`}>
            <th scope="row">{names.get(round)}</th>
            <td>{t(phase === "warmUp" ? "warmUp" : "seriesWindow")}</td>
            <td className={table.num}>{formatNumber(at, 1)}</td>
            <td className={table.num}>{formatNumber(value, decimals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
