import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { Stopping } from "@/api/generated";
import { Toggle } from "@/components/Toggle";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { EVERY, defaultStopping, withStopping } from "./stopping";
import { Count, OptionalCount } from "./TextFields";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  errors: readonly FieldError[];
}

/** The fields of the rounds: a fixed number, or interim analyses that stop decided cells. */
export function RoundsFields({ document, onChange, errors }: Props) {
  const { stopping } = document;
  const adaptive = stopping != null;
  const kinds = [
    { value: "fixed", label: t("fixedRounds") },
    { value: "adaptive", label: t("adaptiveRounds"), title: t("adaptiveRoundsTitle") },
  ] as const;
  return (
    <>
      <div className={styles.stopping}>
        <Toggle label={t("stopping")} options={kinds} value={adaptive ? "adaptive" : "fixed"} onChange={(kind) => onChange(withStopping(document, kind === "adaptive" ? (stopping ?? defaultStopping(document.rounds)) : null))} />
        {adaptive && <p className={styles.about}>{t("adaptiveAbout")}</p>}
      </div>
      <div className={styles.lists}>
        <Count
          label={adaptive ? t("firstInterim") : t("rounds")}
          hint={adaptive ? t("firstInterimHint") : t("roundsHint")}
          value={document.rounds}
          errors={errorsAt(errors, "/rounds")}
          onChange={(rounds) => onChange({ ...document, rounds })}
        />
        {adaptive && <InterimAnalyses stopping={stopping} errors={errors} onStopping={(next) => onChange(withStopping(document, next))} />}
        <OptionalCount label={t("seed")} hint={t("seedHint")} value={document.seed ?? null} errors={errorsAt(errors, "/seed")} onChange={(seed) => onChange({ ...document, seed })} />
        <Count label={t("margin")} hint={t("marginHint")} value={document.margin ?? 0.05} errors={errorsAt(errors, "/margin")} onChange={(margin) => onChange({ ...document, margin })} />
      </div>
    </>
  );
}

function InterimAnalyses({ stopping, errors, onStopping }: { stopping: Stopping; errors: readonly FieldError[]; onStopping: (stopping: Stopping) => void }) {
  const whole = errors.filter((error) => error.pointer === "/stopping");
  return (
    <>
      <Count label={t("thenEvery")} hint={t("thenEveryHint")} value={stopping.every ?? EVERY} errors={errorsAt(errors, "/stopping/every")} onChange={(every) => onStopping({ ...stopping, every })} />
      <Count label={t("atMost")} hint={t("atMostHint")} value={stopping.at_most} errors={[...whole, ...errorsAt(errors, "/stopping/at_most")]} onChange={(at_most) => onStopping({ ...stopping, at_most })} />
      <OptionalCount label={t("budget")} hint={t("budgetHint")} value={stopping.budget_minutes ?? null} errors={errorsAt(errors, "/stopping/budget_minutes")} onChange={(budget_minutes) => onStopping({ ...stopping, budget_minutes })} />
    </>
  );
}
