import type { ChartModel } from "@/api/generated";
import { formatNumber, keepPercent } from "@/components/format";
import { changeEnds, OUTCOMES } from "@/components/outcome";
import { State, StateBadge } from "@/components/State";
import { AA_OUTCOMES, IMPORTED, NOISY_HOST, THRESHOLD_OUTCOMES } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import { answerOf, answerSentence, quotedBy, type Answer } from "./answer";
import styles from "./AnswerHead.module.css";

const t = messages("answer");

interface Props {
  /** Undefined while it is loaded: the head keeps its room. */
  model: ChartModel | undefined;
  provisional?: boolean;
  /** It could not be loaded. */
  isFailed?: boolean;
  /** The actions of the run; a share link has none. */
  actions?: React.ReactNode;
}

/** The answer in one sentence, its interval behind it, and what can be done with the result. */
export function AnswerHead({ model, provisional = false, isFailed = false, actions }: Props) {
  const answer = model && answerOf(model);
  return (
    <section
      className={styles.head}
      aria-label={t(provisional ? "provisionalVerdict" : "verdict")}
      data-outcome={answer?.outcome}
      data-provisional={provisional || undefined}
      aria-busy={model === undefined && !isFailed}
    >
      <div className={styles.text}>
        {model && answer ? (
          <Sentence model={model} answer={answer} provisional={provisional} />
        ) : (
          !isFailed && <span className={styles.waiting} />
        )}
      </div>
      {actions !== undefined && (
        <div className={styles.actions} data-page-actions>
          {actions}
        </div>
      )}
    </section>
  );
}

function Sentence({
  model,
  answer,
  provisional,
}: {
  model: ChartModel;
  answer: Answer;
  provisional: boolean;
}) {
  const sentence = answerSentence(model);
  return (
    <>
      <p className={styles.sentence} title={sentence}>
        {sentence}
      </p>
      <p className={styles.behind}>
        <State label={OUTCOMES[answer.outcome]} />
        <Interval model={model} answer={answer} />
        {model.state === "cancelled" && <span>{t("cancelled")}</span>}
        {provisional && (
          <span>
            {t("provisional", {
              count: model.rounds_planned,
              done: formatNumber(model.rounds_complete),
              all: formatNumber(model.rounds_planned),
            })}
          </span>
        )}
        {model.origin === "imported" && <StateBadge label={IMPORTED} />}
        {model.quality?.noisy && <StateBadge label={NOISY_HOST} />}
        {model.duplicates.some(({ suspect }) => suspect) && (
          <StateBadge label={AA_OUTCOMES.suspect}>{t("suspect")}</StateBadge>
        )}
        {model.gate && (
          <StateBadge label={THRESHOLD_OUTCOMES[model.gate.outcome]}>
            {t("thresholdsOutcome", { outcome: THRESHOLD_OUTCOMES[model.gate.outcome].word })}
          </StateBadge>
        )}
      </p>
    </>
  );
}

/** What the server says behind its sentence, else between which changes the quoted one lies. */
function Interval({ model, answer }: { model: ChartModel; answer: Answer }) {
  if (answer.detail != null)
    return <span>{keepPercent(serverText(answer.detail, answer.detail_message))}</span>;
  const found = quotedBy(model, answer);
  const ends = found && changeEnds(found.comparison);
  if (!found || !ends) return null;
  const rounds = t("roundsOnly", {
    count: found.comparison.n,
    n: formatNumber(found.comparison.n),
  });
  return <span>{`${t("between", ends)}, ${rounds}`}</span>;
}
