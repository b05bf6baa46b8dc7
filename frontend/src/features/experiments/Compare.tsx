import { useId } from "react";
import type { ExperimentDraft, Levels } from "@/api/draft";
import { errorsAt, type FieldError } from "@/api/errors";
import type { Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { FieldErrors } from "@/components/FieldErrors";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { levelsOf, toggled, withField } from "./document";
import { SeveralHosts } from "./HostChoice";
import { formatLevels, levelName } from "./levelName";
import { allLevels } from "./nesting";
import {
  isSameChoice,
  lostIn,
  offeredQuestions,
  questionOf,
  withQuestion,
  type Lost,
  type Question,
} from "./question";
import type { ChosenHosts } from "./useChosenHosts";
import styles from "./Vary.module.css";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  vocabulary: Factors;
  errors: readonly FieldError[];
  chosen: ChosenHosts;
}

/** What is compared, as a question; where a change took it away, the page asks for another. */
export function Compare({ document, onChange, vocabulary, errors, chosen }: Props) {
  const name = useId();
  const current = questionOf(document, vocabulary);
  const lost = lostIn(document, vocabulary);
  const found = [...errorsAt(errors, "/baseline"), ...errorsAt(errors, "/compare")];
  const isOpen = found.length > 0 || lost !== null;
  const ask = (question: Question) => onChange(withQuestion(document, vocabulary, question));
  const offered = offeredQuestions(document, vocabulary);
  return (
    <fieldset className={styles.compare} data-invalid={isOpen || undefined}>
      <legend>{t("compare")}</legend>
      {lost && <LostNote {...{ lost, document, onChange, vocabulary }} />}
      {!lost && <FieldErrors errors={found} />}
      {offered.length === 0 && <p>{t("compareNothing")}</p>}
      {offered.map((question) => (
        <div key={question.kind + (question.kind === "each" ? question.factor : "")}>
          <label className={styles.question}>
            <input
              type="radio"
              name={name}
              checked={isSameChoice(current, question)}
              onChange={() => ask(question)}
            />
            <span>{questionText(question, vocabulary)}</span>
          </label>
          {question.kind === "cell" && current?.kind === "cell" && (
            <CellChoice levels={current.levels} {...{ document, vocabulary, ask }} />
          )}
        </div>
      ))}
      <OnSeveralHosts chosen={chosen} />
    </fieldset>
  );
}

/** Returns a question in words. */
export function questionText(question: Question, vocabulary: Factors): string {
  if (question.kind === "cell") return t("compareCell");
  if (question.kind === "some") {
    return t("compareSome", { levels: formatLevels(vocabulary, question.levels) });
  }
  const { factor, against } = question;
  if (factor === "userland_proxy") return t(against === true ? "compareOffOn" : "compareOnOff");
  const label = vocabulary.factors.find(({ name }) => name === factor)?.label ?? factor;
  return t("compareEach", { factor: label, level: levelName(vocabulary, factor, against) });
}

interface CellProps extends Pick<Props, "document" | "vocabulary"> {
  levels: Extract<Question, { kind: "cell" }>["levels"];
  ask: (question: Question) => void;
}

/** The choice of the cell that all others are compared with. */
function CellChoice({ levels, document, vocabulary, ask }: CellProps) {
  return (
    <div className={styles.cell}>
      {Object.entries(levels).map(([name, level]) => {
        const factor = vocabulary.factors.find((each) => each.name === name);
        if (!factor) return null;
        const all = allLevels(document, vocabulary, factor);
        return (
          <Field key={name} label={factor.label} errors={[]}>
            {(ids) => (
              <select
                {...ids}
                value={String(all.indexOf(level))}
                onChange={(event) => {
                  const next = all[Number(event.target.value)] ?? level;
                  ask({ kind: "cell", levels: { ...levels, [name]: next } });
                }}
              >
                {all.map((each, index) => (
                  <option key={String(each)} value={index}>
                    {levelName(vocabulary, name, each)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        );
      })}
    </div>
  );
}

interface LostProps extends Pick<Props, "document" | "onChange" | "vocabulary"> {
  lost: Lost;
}

/** What went away, and the way to put it back. */
function LostNote({ lost, document, onChange, vocabulary }: LostProps) {
  if (lost.kind === "same") return <Note tone="warn">{t("lostSame")}</Note>;
  const putBack = () => onChange(withLevelsAgain(document, vocabulary, lost.levels));
  return (
    <Note tone="warn">
      <div className={styles.lost} role="alert">
        <span>{t("lostGone", { levels: formatLevels(vocabulary, lost.levels) })}</span>
        <Button onClick={putBack}>{t("lostPutBack")}</Button>
      </div>
    </Note>
  );
}

/** Returns the document with levels that were removed, in the order of the choices. */
function withLevelsAgain(
  document: ExperimentDraft,
  vocabulary: Factors,
  levels: Levels,
): ExperimentDraft {
  return Object.entries(levels).reduce((next, [name, level]) => {
    const factor = vocabulary.factors.find((each) => each.name === name);
    return factor ? withField(next, factor, toggled(factor, levelsOf(next, factor), level)) : next;
  }, document);
}

/** Whether the same is measured on several hosts, and on which; nothing where there is one. */
function OnSeveralHosts({ chosen: { hosts, several, onSeveral } }: Pick<Props, "chosen">) {
  if (hosts.length < 2) return null;
  const able = hosts.filter(({ pause }) => pause?.code !== "drained").map(({ name }) => name);
  return (
    <>
      <label className={styles.question}>
        <input
          type="checkbox"
          checked={several !== null}
          onChange={(event) => onSeveral(event.target.checked ? { names: able } : null)}
        />
        <span>{t(hosts.length === 2 ? "compareTwoHosts" : "compareHosts")}</span>
      </label>
      {several && <SeveralHosts hosts={hosts} several={several} onSeveral={onSeveral} />}
    </>
  );
}
