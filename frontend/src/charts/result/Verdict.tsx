import type { ChartModel } from "@/api/chart";
import { State, StateBadge } from "@/components/State";
import { CELL_STATES, cellState, GATES, IMPORTED, VERDICTS, type Told } from "@/components/states";
import { Note } from "@/components/Status";
import { without } from "@/components/qualified";
import styles from "./Verdict.module.css";

const NOISY: Told = { glyph: "≋", word: "host stayed noisy", tone: "bad" };

/** The answer in one sentence, and how the comparisons came out. */
export function Verdict({ model, provisional }: { model: ChartModel; provisional: boolean }) {
  const { counts } = model;
  const unavailable = cellState("infeasible", model.origin);
  const told: [number, string, Told][] = [
    [counts.better, "better", VERDICTS.better],
    [counts.worse, "worse", VERDICTS.worse],
    [counts.equivalent, "equivalent", VERDICTS.equivalent],
    [counts.undecided, "undecided", { glyph: "~", word: "undecided", tone: "quiet" }],
    [counts.failed, "failed", CELL_STATES.failed],
    [counts.infeasible, unavailable.word, unavailable],
  ];
  return (
    <section className={styles.verdict} aria-label={provisional ? "Provisional verdict" : "Verdict"} data-provisional={provisional || undefined}>
      {provisional && <span className={styles.provisional}>Provisional, {model.rounds_complete} of {model.rounds_planned} rounds complete</span>}
      {(model.origin === "imported" || model.gate || model.quality?.noisy) && (
        <p className={styles.badges}>
          {model.origin === "imported" && <StateBadge told={IMPORTED} />}
          {model.quality?.noisy && <StateBadge told={NOISY} />}
          {model.gate && <StateBadge told={GATES[model.gate.outcome]}>gate: {GATES[model.gate.outcome].word}</StateBadge>}
        </p>
      )}
      <p className={styles.headline}>{without(model.headline, model.trust)}</p>
      {model.quality?.sentence && <Note tone={model.quality.noisy ? "bad" : "warn"}>{model.quality.sentence}</Note>}
      {model.trust && <Note tone="warn">{model.trust}</Note>}
      <ul className={styles.counts}>
        {told.map(([count, word, state]) => (
          <li key={word} data-none={count === 0 || undefined}>
            <State told={state}>
              {count} {word}
            </State>
          </li>
        ))}
      </ul>
    </section>
  );
}
