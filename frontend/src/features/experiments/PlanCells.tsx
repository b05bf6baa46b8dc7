import type { PlanPreview } from "@/api/generated";
import { plural } from "@/components/format";
import { Hops } from "@/components/Hops";
import styles from "./PlanCells.module.css";

const SHOWN = 120;

/** The cells of a plan with their hops, or with the reason why they cannot run. */
export function PlanCells({ answer: { plan, hops } }: { answer: PlanPreview }) {
  const more = plan.cells.length - SHOWN;
  return (
    <>
      <ol className={styles.cells}>
        {plan.cells.slice(0, SHOWN).map((cell) => (
          <li key={cell.id} data-infeasible={cell.infeasible !== null || undefined}>
            <span className={styles.id}>{cell.id}</span>
            <div>
              <span className={styles.label}>{cell.label}</span>
              {cell.is_baseline && !cell.is_duplicate && <span className={styles.tag}>baseline</span>}
              {cell.is_duplicate && <span className={styles.tag}>A/A duplicate</span>}
              {!cell.is_duplicate && <Hops hops={hops[cell.id] ?? []} />}
              {cell.infeasible && <p className={styles.reason}>⊘ Cannot run here: {cell.infeasible}</p>}
            </div>
          </li>
        ))}
      </ol>
      {more > 0 && <p className={styles.more}>and {plural(more, "more cell")}</p>}
    </>
  );
}
