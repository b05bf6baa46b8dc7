import { Link } from "react-router";
import type { BestGroup, ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./Decision.module.css";

const t = messages("result");

interface Props {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** A group of two cells is a comparison, which the chart above has. */
const FEWEST = 3;
/** Of more tied cells, the others are folded; all but the first where no cell is shown to be worse. */
const SHOWN = 5;

/** The cells among which the best one is: tied where no difference between them is shown. */
export function BestCard({ model, cellHref }: Props) {
  const groups = model.best.filter(({ tied, out }) => new Set([...tied, ...out]).size >= FEWEST);
  if (groups.length === 0) return null;
  return (
    <Card title={t("best")} note={t("bestNote")}>
      <div className={styles.groups}>
        {groups.map((group) => (
          <Group
            key={`${group.metric} ${group.baseline_id}`}
            group={group}
            model={model}
            cellHref={cellHref}
          />
        ))}
      </div>
    </Card>
  );
}

function Group({ group, model, cellHref }: Props & { group: BestGroup }) {
  const label = (id: string) => model.cells.find((cell) => cell.id === id)?.label ?? id;
  const named = (id: string) => (cellHref ? <Link to={cellHref(id)}>{label(id)}</Link> : label(id));
  const tied = [group.leader_id, ...group.tied.filter((id) => id !== group.leader_id)];
  const shown = group.out.length > 0 ? SHOWN : 1;
  const others = tied.slice(shown);
  return (
    <section title={serverText(group.sentence, group.message)}>
      <ul className={styles.list} aria-label={t("best")}>
        {tied.slice(0, shown).map((id) => (
          <li key={id} data-first={id === group.leader_id || undefined}>
            {named(id)}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>
            {t("bestMore", { count: others.length, n: formatNumber(others.length) })}
          </summary>
          <ul className={styles.list} aria-label={t("bestMoreList")}>
            {others.map((id) => (
              <li key={id}>{named(id)}</li>
            ))}
          </ul>
        </details>
      )}
      {group.out.length > 0 && (
        <details>
          <summary>
            {t("bestOut", { count: group.out.length, n: formatNumber(group.out.length) })}
          </summary>
          <ul className={styles.list} aria-label={t("bestOutList")}>
            {group.out.map((id) => (
              <li key={id} data-off>
                {named(id)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
