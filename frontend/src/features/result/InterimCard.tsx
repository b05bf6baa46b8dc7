import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { plural } from "@/components/format";
import { serverText } from "@/components/serverText";
import styles from "./Decision.module.css";

/** The interim analyses of a run, with the number of cells that each decided. */
export function InterimCard({ model: { interim_analyses: interim, cells } }: { model: ChartModel }) {
  if (!interim) return null;
  const decided = (round: number) => cells.filter((cell) => cell.decided_at === round).length;
  return (
    <Card title="Interim analyses" note="After these rounds, fixed before the start, the run was analysed; only undecided cells got further rounds">
      <p>{serverText(interim.sentence, interim.message)}</p>
      <ul className={styles.list} aria-label="Interim analyses">
        {interim.planned.map((round) => {
          const made = interim.taken.includes(round);
          const count = decided(round);
          return (
            <li key={round} data-off={!made || undefined} data-first={(made && count > 0) || undefined}>
              after {plural(round, "round")}: {!made ? "not made" : count > 0 ? `${plural(count, "cell")} decided` : "none decided"}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
