import type { Resolution } from "@/api/generated";
import { formatNumber, formatPercent, plural } from "@/components/format";
import table from "@/components/table.module.css";
import styles from "./PlanPane.module.css";

/** The smallest difference that the plan can show, and the rounds that other differences need. */
export function ResolutionView({ resolution }: { resolution: Resolution }) {
  const { smallest_effect, rounds_for, source, comparisons, spread, metric } = resolution;
  return (
    <section className={styles.resolution} aria-label="What this plan can show">
      <p>
        {smallest_effect === null ? (
          <>With these rounds no difference could be shown.</>
        ) : (
          <>
            With these rounds a difference of <b>{formatPercent(smallest_effect)}</b> is shown with 80 % power.
          </>
        )}
      </p>
      {rounds_for.length > 0 && (
        <details>
          <summary>Rounds for other differences</summary>
          <table className={`${table.table} ${styles.rounds}`}>
            <thead>
              <tr>
                <th scope="col" className={table.num}>Difference</th>
                <th scope="col" className={table.num}>Rounds</th>
              </tr>
            </thead>
            <tbody>
              {rounds_for.map(({ effect, rounds }) => (
                <tr key={effect}>
                  <th scope="row" className={table.num}>{formatPercent(effect)}</th>
                  <td className={table.num}>{rounds === null ? "more than 1,000" : formatNumber(rounds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <p className={styles.source}>
        For {metric}, {plural(comparisons, "comparison")}, corrected for all of them; from a spread of {formatPercent(spread)} between equal trials ({source}).
      </p>
    </section>
  );
}
