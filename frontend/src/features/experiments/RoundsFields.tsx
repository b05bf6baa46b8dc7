import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { Stopping } from "@/api/generated";
import { Toggle } from "@/components/Toggle";
import styles from "./DefinitionForm.module.css";
import { EVERY, defaultStopping, withStopping } from "./stopping";
import { Count, OptionalCount } from "./TextFields";

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

const KINDS = [
  { value: "fixed", label: "Fixed rounds" },
  { value: "adaptive", label: "Adaptive rounds", title: "Interim analyses after fixed rounds; decided cells get no further rounds" },
] as const;

/** The fields of the rounds: a fixed number, or interim analyses that stop decided cells. */
export function RoundsFields({ document, onChange, errors }: Props) {
  const { stopping } = document;
  const adaptive = stopping != null;
  return (
    <>
      <div className={styles.stopping}>
        <Toggle label="Stopping" options={KINDS} value={adaptive ? "adaptive" : "fixed"} onChange={(kind) => onChange(withStopping(document, kind === "adaptive" ? (stopping ?? defaultStopping(document.rounds)) : null))} />
        {adaptive && <p className={styles.about}>All cells run up to the first interim analysis. Then decided cells skip the remaining rounds, and the others go on. p-values and intervals are corrected for all interim analyses.</p>}
      </div>
      <div className={styles.lists}>
        <Count
          label={adaptive ? "First interim analysis, after rounds" : "Rounds"}
          hint={adaptive ? "6 or more; fewer give no verdict" : "10 or more; fewer than 6 give no verdict"}
          value={document.rounds}
          errors={errorsAt(errors, "/rounds")}
          onChange={(rounds) => onChange({ ...document, rounds })}
        />
        {adaptive && <InterimAnalyses stopping={stopping} errors={errors} onStopping={(next) => onChange(withStopping(document, next))} />}
        <OptionalCount label="Seed" hint="of the shuffled order; empty: each run draws its own" value={document.seed ?? null} errors={errorsAt(errors, "/seed")} onChange={(seed) => onChange({ ...document, seed })} />
        <Count label="Equivalence margin" hint="0.05 is 5 %" value={document.margin ?? 0.05} errors={errorsAt(errors, "/margin")} onChange={(margin) => onChange({ ...document, margin })} />
      </div>
    </>
  );
}

function InterimAnalyses({ stopping, errors, onStopping }: { stopping: Stopping; errors: readonly FieldError[]; onStopping: (stopping: Stopping) => void }) {
  const whole = errors.filter((error) => error.pointer === "/stopping");
  return (
    <>
      <Count label="Then every" hint="rounds between interim analyses" value={stopping.every ?? EVERY} errors={errorsAt(errors, "/stopping/every")} onChange={(every) => onStopping({ ...stopping, every })} />
      <Count label="At most" hint="rounds, the last interim analysis" value={stopping.at_most} errors={[...whole, ...errorsAt(errors, "/stopping/at_most")]} onChange={(at_most) => onStopping({ ...stopping, at_most })} />
      <OptionalCount label="Budget (minutes)" hint="no round begins after it" value={stopping.budget_minutes ?? null} errors={errorsAt(errors, "/stopping/budget_minutes")} onChange={(budget_minutes) => onStopping({ ...stopping, budget_minutes })} />
    </>
  );
}
