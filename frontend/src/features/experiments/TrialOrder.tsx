import { useState } from "react";
import type { PlanPreview } from "@/api/generated";
import { draftOf } from "@/api/draft";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { messages } from "@/messages";
import styles from "./PlanCells.module.css";

const t = messages("experiments");

/** A larger plan is folded. */
const SMALL = 60;
const ROUNDS = 6;
const POSITIONS = 40;

/** The order of the trials: a row per round, a column per position. */
export function TrialOrder({ answer: { plan, experiment } }: { answer: PlanPreview }) {
  const [open, setOpen] = useState<boolean | null>(null);
  const [rows, setRows] = useState(ROUNDS);
  if (plan.trials.length === 0) return null;
  const shown = open ?? plan.trials.length <= SMALL;
  const { seed } = draftOf(experiment);
  return (
    <details className={styles.order} open={shown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("trialOrder")}</summary>
      {shown && (
        <>
          <p>{seed == null ? t("orderExample") : t("orderSeed", { seed: String(seed) })}</p>
          <Rounds trials={plan.trials} rows={rows} onMore={() => setRows(rows + 10 * ROUNDS)} />
        </>
      )}
    </details>
  );
}

function Rounds({ trials, rows, onMore }: { trials: PlanPreview["plan"]["trials"]; rows: number; onMore: () => void }) {
  const rounds = Map.groupBy(trials, ({ round }) => round);
  const most = Math.max(...[...rounds.values()].map((each) => each.length));
  const columns = Array.from({ length: Math.min(most, POSITIONS) }, (_, index) => index);
  return (
    <>
      <TableScroll label={t("trialOrder")}>
        <table className={`${table.table} ${styles.rounds}`}>
          <thead>
            <tr>
              <th scope="col">{t("round")}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={table.num}>{formatNumber(column + 1)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...rounds].slice(0, rows).map(([round, each]) => (
              <tr key={round}>
                <th scope="row" className={table.num}>{formatNumber(round)}</th>
                {columns.map((column) => (
                  <td key={column}><code>{each[column]?.cell_id}</code></td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {most > POSITIONS && <p>{t("morePositions", { count: most - POSITIONS })}</p>}
      {rounds.size > rows && (
        <p>
          <Button onClick={onMore}>{t("moreRounds", { count: rounds.size - rows })}</Button>
        </p>
      )}
    </>
  );
}
