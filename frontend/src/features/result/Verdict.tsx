import type { ChartModel } from "@/api/generated";
import { formatNumber, keepPercent } from "@/components/format";
import { State, StateBadge } from "@/components/State";
import { CELL_STATES, cellState, THRESHOLD_OUTCOMES, IMPORTED, NOISY_HOST, UNDECIDED, VERDICTS, type StateLabel } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { withoutRemark } from "@/components/withoutRemark";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./Verdict.module.css";

const t = messages("result");

/** The headline of a result and the number of cells by verdict. */
export function Verdict({ model, provisional }: { model: ChartModel; provisional: boolean }) {
  const { counts } = model;
  const trust = model.trust == null ? null : serverText(model.trust, model.trust_message);
  const unavailable = cellState("infeasible", model.origin);
  const outcomes: [number, StateLabel][] = [
    [counts.better, VERDICTS.better],
    [counts.worse, VERDICTS.worse],
    [counts.equivalent, VERDICTS.equivalent],
    [counts.undecided, UNDECIDED],
    [counts.failed, CELL_STATES.failed],
    [counts.infeasible, unavailable],
  ];
  return (
    <section className={styles.verdict} aria-label={t(provisional ? "provisionalVerdict" : "verdict")} data-provisional={provisional || undefined}>
      {provisional && <span className={styles.provisional}>{t("provisional", { count: model.rounds_planned, done: formatNumber(model.rounds_complete), all: formatNumber(model.rounds_planned) })}</span>}
      {(model.origin === "imported" || model.gate || model.quality?.noisy) && (
        <p className={styles.badges}>
          {model.origin === "imported" && <StateBadge label={IMPORTED} />}
          {model.quality?.noisy && <StateBadge label={NOISY_HOST} />}
          {model.gate && <StateBadge label={THRESHOLD_OUTCOMES[model.gate.outcome]}>{t("thresholdsOutcome", { outcome: THRESHOLD_OUTCOMES[model.gate.outcome].word })}</StateBadge>}
        </p>
      )}
      <p className={styles.headline}>{keepPercent(withoutRemark(serverText(model.headline, model.headline_message), trust))}</p>
      {model.quality?.sentence && <Note tone={model.quality.noisy ? "bad" : "warn"}>{serverText(model.quality.sentence, model.quality.message)}</Note>}
      {trust && <Note tone="warn">{trust}</Note>}
      <ul className={styles.counts}>
        {outcomes.map(([count, state]) => (
          <li key={state.word} data-none={count === 0 || undefined}>
            <State label={state}>
              {t("countOf", { n: formatNumber(count), state: state.word })}
            </State>
          </li>
        ))}
      </ul>
    </section>
  );
}
