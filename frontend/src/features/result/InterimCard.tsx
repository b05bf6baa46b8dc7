import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./Decision.module.css";

const t = messages("result");

/** The interim analyses of a run, with the number of cells that each decided. */
export function InterimCard({ model: { interim_analyses: interim, cells } }: { model: ChartModel }) {
  if (!interim) return null;
  const decided = (round: number) => cells.filter((cell) => cell.decided_at === round).length;
  return (
    <Card title={t("interim")} note={t("interimNote")}>
      <p>{serverText(interim.sentence, interim.message)}</p>
      <ul className={styles.list} aria-label={t("interim")}>
        {interim.planned.map((round) => {
          const made = interim.taken.includes(round);
          const count = decided(round);
          return (
            <li key={round} data-off={!made || undefined} data-first={(made && count > 0) || undefined}>
              {made && count > 0 ? t("interimDecided", { count, n: formatNumber(count), rounds: formatNumber(round) }) : t(made ? "interimNone" : "interimNotMade", { count: round, n: formatNumber(round) })}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
