import type { ChartModel } from "@/api/chart";
import { Card } from "@/components/Card";
import { plural } from "@/components/format";
import styles from "./Decision.module.css";

/** When the run looked, and how many cells had their answer by then. */
export function LooksCard({ model: { looks, cells } }: { model: ChartModel }) {
  if (!looks) return null;
  const decided = (round: number) => cells.filter((cell) => cell.decided_at === round).length;
  return (
    <Card title="Looks" note="The run looked after these rounds, fixed before its start, and spent further rounds only where the answer was open">
      <p>{looks.sentence}</p>
      <ul className={styles.list} aria-label="Looks">
        {looks.planned.map((round) => {
          const taken = looks.taken.includes(round);
          const count = decided(round);
          return (
            <li key={round} data-off={!taken || undefined} data-first={(taken && count > 0) || undefined}>
              after {plural(round, "round")}: {!taken ? "not taken" : count > 0 ? `${plural(count, "cell")} decided` : "none decided"}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
