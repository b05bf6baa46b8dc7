import type { ChartModel } from "@/api/generated";
import { State, StateBadge } from "@/components/State";
import { CELL_STATES, cellState, THRESHOLD_OUTCOMES, IMPORTED, NOISY_HOST, UNDECIDED, VERDICTS, type StateLabel } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { withoutSuffix } from "@/components/withoutSuffix";
import { serverText } from "@/components/serverText";
import styles from "./Verdict.module.css";

/** The headline of a result and the number of cells by verdict. */
export function Verdict({ model, provisional }: { model: ChartModel; provisional: boolean }) {
  const { counts } = model;
  const trust = model.trust && serverText(model.trust, model.trust_message);
  const unavailable = cellState("infeasible", model.origin);
  const outcomes: [number, string, StateLabel][] = [
    [counts.better, "better", VERDICTS.better],
    [counts.worse, "worse", VERDICTS.worse],
    [counts.equivalent, "equivalent", VERDICTS.equivalent],
    [counts.undecided, "undecided", UNDECIDED],
    [counts.failed, "failed", CELL_STATES.failed],
    [counts.infeasible, unavailable.word, unavailable],
  ];
  return (
    <section className={styles.verdict} aria-label={provisional ? "Provisional verdict" : "Verdict"} data-provisional={provisional || undefined}>
      {provisional && <span className={styles.provisional}>Provisional, {model.rounds_complete} of {model.rounds_planned} rounds complete</span>}
      {(model.origin === "imported" || model.gate || model.quality?.noisy) && (
        <p className={styles.badges}>
          {model.origin === "imported" && <StateBadge label={IMPORTED} />}
          {model.quality?.noisy && <StateBadge label={NOISY_HOST} />}
          {model.gate && <StateBadge label={THRESHOLD_OUTCOMES[model.gate.outcome]}>thresholds: {THRESHOLD_OUTCOMES[model.gate.outcome].word}</StateBadge>}
        </p>
      )}
      <p className={styles.headline}>{withoutSuffix(serverText(model.headline, model.headline_message), trust)}</p>
      {model.quality?.sentence && <Note tone={model.quality.noisy ? "bad" : "warn"}>{serverText(model.quality.sentence, model.quality.message)}</Note>}
      {trust && <Note tone="warn">{trust}</Note>}
      <ul className={styles.counts}>
        {outcomes.map(([count, word, state]) => (
          <li key={word} data-none={count === 0 || undefined}>
            <State label={state}>
              {count} {word}
            </State>
          </li>
        ))}
      </ul>
    </section>
  );
}
