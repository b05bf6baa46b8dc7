import { Link } from "react-router";
import type { BestGroup, ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { plural } from "@/components/format";
import { serverText } from "@/components/serverText";
import styles from "./Decision.module.css";

interface Props {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** The cells among which the best one is; several are tied where no difference between them is shown. */
export function BestCard({ model, cellHref }: Props) {
  if (model.best.length === 0) return null;
  return (
    <Card title="Tied for best" note="With 95 % confidence the best cell is among these; the first has the best median">
      <div className={styles.groups}>
        {model.best.map((group) => (
          <Group key={`${group.metric} ${group.baseline_id}`} group={group} model={model} cellHref={cellHref} />
        ))}
      </div>
    </Card>
  );
}

function Group({ group, model, cellHref }: Props & { group: BestGroup }) {
  const label = (id: string) => model.cells.find((cell) => cell.id === id)?.label ?? id;
  const named = (id: string) => (cellHref ? <Link to={cellHref(id)}>{label(id)}</Link> : label(id));
  const tied = [group.leader_id, ...group.tied.filter((id) => id !== group.leader_id)];
  return (
    <section>
      <p>{serverText(group.sentence, group.message)}</p>
      <ul className={styles.list} aria-label="Tied for best">
        {tied.map((id) => (
          <li key={id} data-first={id === group.leader_id || undefined}>{named(id)}</li>
        ))}
      </ul>
      {group.out.length > 0 && (
        <details>
          <summary>{plural(group.out.length, "cell is", "cells are")} shown to be worse than the first</summary>
          <ul className={styles.list} aria-label="Worse than the best">
            {group.out.map((id) => (
              <li key={id} data-off>{named(id)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
