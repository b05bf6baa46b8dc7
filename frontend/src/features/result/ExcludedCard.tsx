import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import styles from "./Decision.module.css";
import type { ResultLinks } from "./links";

const t = messages("result");

/** The trials that were excluded by hand, each with its reason. */
export function ExcludedCard({ model, links }: { model: ChartModel; links: ResultLinks | undefined }) {
  const named = model.excluded_trials ?? [];
  if (named.length === 0) return null;
  const more = (model.quality?.excluded ?? 0) - named.length;
  const labels = new Map(model.cells.map(({ id, label }) => [id, label]));
  return (
    <Card title={t("excludedTitle")} note={t("excludedNote")}>
      <ul className={styles.excluded}>
        {named.map(({ cell_id: cellId, round, reason }) => {
          const trial = t("excludedRow", { cell: labels.get(cellId) ?? cellId, round: formatNumber(round) });
          return (
            <li key={`${cellId} ${round}`}>
              <b>{links ? <Link to={links.round(cellId, round)}>{trial}</Link> : trial}</b> <q>{reason}</q>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p>{t("excludedMore", { count: more, n: formatNumber(more) })}</p>}
    </Card>
  );
}
