import { Link } from "react-router";
import type { ChartModel, ThresholdCell, ThresholdRule } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatInterval, formatNumber } from "@/components/format";
import { State, StateBadge } from "@/components/State";
import { withoutRemark } from "@/components/withoutRemark";
import { THRESHOLD_OUTCOMES } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./Decision.module.css";

const t = messages("result");

interface Props {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** A threshold on a ratio: its figures have three decimals, those of a metric the decimals of its axis. */
const RATIO = /^\s*ratio\(/;

/** The thresholds of the definition with their outcomes. */
export function ThresholdsCard({ model, cellHref }: Props) {
  if (!model.gate) return null;
  return (
    <Card
      title={t("thresholds")}
      note={t("thresholdsNote")}
      actions={<StateBadge label={THRESHOLD_OUTCOMES[model.gate.outcome]} />}
    >
      <ul className={styles.rules}>
        {model.gate.rules.map((rule) => (
          <Rule key={rule.threshold} rule={rule} model={model} cellHref={cellHref} />
        ))}
      </ul>
    </Card>
  );
}

function Rule({ rule, model, cellHref }: Props & { rule: ThresholdRule }) {
  const axis = model.axes.find((each) => each.metric === rule.metric);
  const decimals = RATIO.test(rule.threshold) ? 3 : (axis?.decimals ?? 3);
  const failing = rule.cells.filter((cell) => cell.outcome !== "pass").length;
  return (
    <li className={styles.rule}>
      <p>
        <State label={THRESHOLD_OUTCOMES[rule.outcome]} />
        <code>{rule.threshold}</code>
        <span className={styles.quiet}>{withoutRemark(serverText(rule.sentence, rule.message), model.trust == null ? null : serverText(model.trust, model.trust_message))}</span>
      </p>
      {rule.cells.length > 0 && (
        <details open={failing > 0 && rule.cells.length <= 12}>
          <summary className={styles.quiet}>{t("byCell")}</summary>
          <div className={styles.table}>
            <DataTable label={t("cellsUnder", { threshold: rule.threshold })} columns={[[t("cell")], [t("outcome")], [t("value"), "num"], [t("interval95"), "num"], [t("why")]]}>
              {rule.cells.map((cell) => (
                <Row key={cell.cell_id} cell={cell} label={model.cells.find(({ id }) => id === cell.cell_id)?.label ?? cell.cell_id} decimals={decimals} href={cellHref?.(cell.cell_id)} />
              ))}
            </DataTable>
          </div>
        </details>
      )}
    </li>
  );
}

function Row({ cell, label, decimals, href }: { cell: ThresholdCell; label: string; decimals: number; href: string | undefined }) {
  return (
    <tr>
      <th scope="row">{href ? <Link to={href}>{label}</Link> : label}</th>
      <td data-label={t("outcome")}>
        <State label={THRESHOLD_OUTCOMES[cell.outcome]} />
      </td>
      <td data-label={t("value")} className={table.num}>{formatNumber(cell.value, decimals)}</td>
      <td data-label={t("interval95")} className={table.num}>{formatInterval(cell.interval, decimals)}</td>
      <td data-label={t("why")}>{serverText(cell.sentence, cell.message)}</td>
    </tr>
  );
}
