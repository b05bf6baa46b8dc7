import type { Axis, ChartModel } from "@/api/generated";
import { summaryOf } from "@/api/states";
import { formatInterval, formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { changeEnds, changeOf, OUTCOMES, outcomeOf } from "@/components/outcome";
import { State } from "@/components/State";
import { withoutFigure } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { replicates } from "@/charts/dotLayout";
import { roleName } from "@/charts/roleNames";
import type { JointLayout, JointLine } from "./jointLayout";

const t = messages("answer");
const charts = messages("charts");

interface Props {
  layout: JointLayout;
  axis: Axis;
  origin: ChartModel["origin"];
}

/** The figures of the joint chart as a table: throughput, its change, CPU by role. */
export function JointTable({ layout: { lines, cpu }, axis, origin }: Props) {
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">
        {t("jointTable", { label: metricLabel(axis), unit: axis.unit })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{charts("cell")}</th>
          <th scope="col" className={table.num}>
            {charts("n")}
          </th>
          <th scope="col" className={table.num}>
            {charts("medianUnit", { unit: axis.unit })}
          </th>
          <th scope="col" className={table.num}>
            {charts("interval95")}
          </th>
          <th scope="col">{t("change")}</th>
          {cpu.roles.map((role) => (
            <th key={role} scope="col" className={table.num}>
              {t("roleCores", { role: roleName(role) })}
            </th>
          ))}
          <th scope="col">{charts("byRoundUnit", { unit: axis.unit })}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(
          (line) =>
            line.kind === "cell" &&
            line.cell && <Row key={line.key} {...{ line, axis, origin }} roles={cpu.roles} />,
        )}
      </tbody>
    </table>
  );
}

type RowProps = Pick<Props, "axis" | "origin"> & {
  line: JointLine;
  roles: JointLayout["cpu"]["roles"];
};

function Row({ line: { cell, comparison, bar, value }, roles, axis, origin }: RowProps) {
  if (!cell) return null;
  const summary = summaryOf(cell, axis.metric);
  if (!summary)
    return (
      <tr>
        <th scope="row">{cell.label}</th>
        <td colSpan={roles.length + 5}>
          <State label={withoutFigure(cell, origin)} />
        </td>
      </tr>
    );
  const ends = comparison && changeEnds(comparison);
  return (
    <tr>
      <th scope="row">{cell.label}</th>
      <td data-label={charts("n")} className={table.num}>
        {summary.n}
      </td>
      <td data-label={charts("medianLow")} className={table.num}>
        {value}
      </td>
      <td data-label={charts("interval95")} className={table.num}>
        {formatInterval(summary.interval, axis.decimals)}
      </td>
      <td data-label={t("change")}>
        {comparison
          ? [changeOf(comparison), ends && t("between", ends), OUTCOMES[outcomeOf(comparison)].word]
              .filter(Boolean)
              .join(", ")
          : "–"}
      </td>
      {roles.map((role) => (
        <td key={role} data-label={t("roleCores", { role: roleName(role) })} className={table.num}>
          {bar?.total == null ? "–" : formatNumber(bar.values[role] ?? 0, 2)}
        </td>
      ))}
      <td data-label={charts("byRound")} className={table.quiet}>
        {replicates(cell, summary)
          .map(({ value: one, used }) => formatNumber(one, axis.decimals) + (used ? "" : "*"))
          .join("  ")}
      </td>
    </tr>
  );
}
