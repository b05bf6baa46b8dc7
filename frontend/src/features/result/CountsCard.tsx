import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { OUTCOMES } from "@/components/outcome";
import { State } from "@/components/State";
import { CELL_STATES, cellState, type StateLabel } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./CountsCard.module.css";

const t = messages("result");
const answer = messages("answer");

/** The number of comparisons by verdict, and what the whole run must be read with. */
export function CountsCard({ model }: { model: ChartModel }) {
  const { counts } = model;
  const trust = model.trust == null ? null : serverText(model.trust, model.trust_message);
  const outcomes: [number, StateLabel][] = [
    [counts.worse, OUTCOMES.worse],
    [counts.better, OUTCOMES.better],
    [counts.equivalent, OUTCOMES.equal],
    [counts.undecided, OUTCOMES.no_answer],
    [counts.failed, CELL_STATES.failed],
    [counts.infeasible, cellState("infeasible", model.origin)],
  ];
  return (
    <Card title={answer("countsTitle")}>
      <div className={styles.body}>
        <ul className={styles.counts}>
          {outcomes.map(([count, state]) => (
            <li key={state.word} data-none={count === 0 || undefined}>
              <State label={state}>
                {t("countOf", { n: formatNumber(count), state: state.word })}
              </State>
            </li>
          ))}
        </ul>
        {trust && <Note tone="warn">{trust}</Note>}
        {model.reduced && (
          <Note tone="info">{serverText(model.reduced.sentence, model.reduced.message)}</Note>
        )}
      </div>
    </Card>
  );
}
