import { Link } from "react-router";
import type { ChartModel, HopCost, Ladder } from "@/api/generated";
import { formatP } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { Chips } from "./HopChips";
import { formatCost, formatCostInterval, intervalOf, labelOf, stepsOf } from "./hopCostLayout";

const t = messages("charts");

interface Props {
  model: ChartModel;
  ladder: Ladder;
  operation: string;
  cellHref?: ((cellId: string) => string) | undefined;
}

/** The steps of a ladder with what each costs, as a table. */
export function HopCostTable({ model, ladder, operation, cellHref }: Props) {
  const named = (id: string) =>
    cellHref ? <Link to={cellHref(id)}>{labelOf(model, id)}</Link> : labelOf(model, id);
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">{ladder.title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("path")}</th>
          <th scope="col">{t("against")}</th>
          <th scope="col">{t("hops")}</th>
          <th scope="col" className={table.num}>
            {t("cpuPerOperation", { operation })}
          </th>
          <th scope="col" className={table.num}>
            {intervalOf(ladder, "cpu", model)}
          </th>
          <th scope="col" className={table.num}>
            {t("adjustedP")}
          </th>
          <th scope="col" className={table.num}>
            {t("throughput")}
          </th>
          <th scope="col" className={table.num}>
            {intervalOf(ladder, "throughput", model)}
          </th>
          <th scope="col" className={table.num}>
            {t("adjustedP")}
          </th>
        </tr>
      </thead>
      <tbody>
        {stepsOf(ladder).map((step) => (
          <tr key={step.cell_id}>
            <th scope="row">{named(step.cell_id)}</th>
            <td data-label={t("against")}>{named(step.from_id)}</td>
            <td data-label={t("hops")}>
              <Chips step={step} />
            </td>
            <Cells
              cost={step.cpu}
              name={t("cpuPerOperation", { operation })}
              interval={intervalOf(ladder, "cpu", model)}
            />
            <Cells
              cost={step.throughput}
              name={t("throughput")}
              interval={intervalOf(ladder, "throughput", model)}
            />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ cost, name, interval }: { cost: HopCost | null; name: string; interval: string }) {
  return (
    <>
      <td data-label={name} className={table.num}>
        {cost ? formatCost(cost) : "–"}
      </td>
      <td data-label={interval} className={table.num}>
        {cost ? formatCostInterval(cost) : "–"}
      </td>
      <td data-label={t("adjustedP")} className={table.num}>
        {formatP(cost?.p_adjusted)}
      </td>
    </>
  );
}
