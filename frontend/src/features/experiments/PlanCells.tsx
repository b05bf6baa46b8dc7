import { useState } from "react";
import type { PlanPreview } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/format";
import { Hops } from "@/components/Hops";
import { messages } from "@/messages";
import styles from "./PlanCells.module.css";

const t = messages("experiments");

const STEP = 120;
/** Cells that are named with each reason. */
const NAMED = 8;

type Cells = PlanPreview["plan"]["cells"];

/** The cells of a plan with their hops, or with the reason why they cannot run; the reasons first. */
export function PlanCells({ answer: { plan, hops } }: { answer: PlanPreview }) {
  const [limit, setLimit] = useState(STEP);
  const more = plan.cells.length - limit;
  return (
    <>
      <Reasons cells={plan.cells} />
      <ol className={styles.cells}>
        {plan.cells.slice(0, limit).map((cell) => (
          <li key={cell.id} data-infeasible={cell.infeasible !== null || undefined}>
            <span className={styles.id}>{cell.id}</span>
            <div>
              <bdi className={styles.label}>{cell.label}</bdi>
              {cell.is_baseline && !cell.is_duplicate && <span className={styles.tag}>{t("isBaseline")}</span>}
              {cell.is_duplicate && <span className={styles.tag}>{t("isDuplicate")}</span>}
              {!cell.is_duplicate && <Hops hops={hops[cell.id] ?? []} />}
              {cell.infeasible && <p className={styles.reason}>⊘ {t("cannotRun", { reason: cell.infeasible })}</p>}
            </div>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p className={styles.more}>
          <Button onClick={() => setLimit(limit + 4 * STEP)}>{t("moreCells", { count: more })}</Button>
        </p>
      )}
    </>
  );
}

/** Each reason with its cells, the most frequent first; nothing where every cell can run, or one alone cannot. */
function Reasons({ cells }: { cells: Cells }) {
  const found = cells.filter((cell) => cell.infeasible !== null);
  if (found.length < 2) return null;
  const reasons = [...Map.groupBy(found, (cell) => cell.infeasible)].sort(([, a], [, b]) => b.length - a.length);
  return (
    <section className={styles.reasons} aria-label={t("reasons")}>
      <h3>{t("reasons")}</h3>
      <ul>
        {reasons.map(([reason, each]) => (
          <li key={reason}>
            ⊘ {t("reasonOf", { count: each.length })} <bdi>{reason}</bdi>{" "}
            <code>
              {each.slice(0, NAMED).map(({ id }) => id).join(", ")}
              {each.length > NAMED && `, … +${formatNumber(each.length - NAMED)}`}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
