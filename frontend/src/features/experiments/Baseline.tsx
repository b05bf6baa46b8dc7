import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { Factors } from "@/api/types";
import { formatLevel } from "@/components/format";
import { FieldErrors } from "@/components/FieldErrors";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { withBaseline } from "./document";
import { Field } from "@/components/Field";
import { applicable, allLevels } from "./nesting";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

/** The fields of the baseline: for each factor a level, or the level of the compared cell. */
export function Baseline({ document, onChange, factors, errors }: Props) {
  const offered = applicable(document, factors).filter((factor) => allLevels(document, factors, factor).length > 1 || document.baseline?.[factor.name] !== undefined);
  const found = errorsAt(errors, "/baseline");
  return (
    <fieldset className={styles.baseline}>
      <legend>{t("baseline")}</legend>
      <div className={styles.lists}>
        {offered.map((factor) => {
          const own = found.filter((error) => error.pointer === `/baseline/${factor.name}`);
          const levels = allLevels(document, factors, factor);
          const named = document.baseline?.[factor.name];
          return (
            <Field key={factor.name} label={factor.label} errors={own}>
              {(ids) => (
                <select
                  {...ids}
                  value={named === undefined ? "" : `=${String(named)}`}
                  onChange={(event) => onChange(withBaseline(document, factor.name, levels.find((level) => `=${String(level)}` === event.target.value)))}
                >
                  <option value="">{t("baselineSame")}</option>
                  {(named !== undefined && !levels.includes(named) ? [...levels, named] : levels).map((level) => (
                    <option key={String(level)} value={`=${String(level)}`}>
                      {formatLevel(level)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          );
        })}
      </div>
      <FieldErrors errors={found.filter((error) => !offered.some((factor) => error.pointer === `/baseline/${factor.name}`))} />
    </fieldset>
  );
}
