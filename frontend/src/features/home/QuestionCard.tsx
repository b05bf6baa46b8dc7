import { Link } from "react-router";
import type { HomeRun, Preset } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { formatDuration } from "@/components/format";
import { outcomeOf } from "@/components/runOutcome";
import { RelativeTime } from "@/components/RelativeTime";
import { State } from "@/components/State";
import { OUTCOMES } from "@/components/stateLabels";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { figureOf, reasonOf } from "./figures";
import home from "./home.module.css";
import { MeasureLost } from "./MeasureLost";
import type { Question } from "./joinQuestions";
import styles from "./Questions.module.css";
import { Signs } from "./Signs";
import { useRunPreset } from "./useRunPreset";

const t = messages("home");

interface Props {
  question: Question;
  host: string | null;
  now: number;
}

/** One question: its last answer in one figure, its age, and the button that measures it again. */
export function QuestionCard({ question: { text, preset, known }, host, now }: Props) {
  const { answer = null, without_answer: lost = null, active = null } = known ?? {};
  return (
    <li className={styles.card}>
      <h3>
        <Link to={`/new?preset=${encodeURIComponent(preset.name)}`} title={preset.title}>
          {text}
        </Link>
      </h3>
      <div className={styles.answer}>
        {answer && <Answer run={answer} now={now} />}
        {known && !answer && !lost && <p className={styles.quiet}>{t("neverMeasured")}</p>}
        {lost && <WithoutAnswer run={lost} now={now} newest={answer !== null} />}
      </div>
      {host !== null && (
        <div className={styles.run}>
          {active !== null && <Link to={`/runs/${active}`}>{t("runsNow")}</Link>}
          {active === null && <Run preset={preset} host={host} text={text} />}
        </div>
      )}
    </li>
  );
}

/** The answer in one figure, with the word of its outcome and its age. */
function Answer({ run, now }: { run: HomeRun; now: number }) {
  const figure = run.verdict && figureOf(run.verdict);
  if (!run.verdict || !figure) return null;
  return (
    <>
      <p className={styles.figure}>
        <Link to={`/runs/${run.id}`} title={figure.interval}>
          {figure.change}
        </Link>{" "}
        <span className={styles.metric}>{run.verdict.metric_label}</span>
      </p>
      <p className={styles.cell} title={figure.cell}>
        {figure.cell}
      </p>
      <p className={styles.meta}>
        <State label={OUTCOMES[outcomeOf(run.verdict)]} />
        <Signs run={run} />
        <RelativeTime value={run.finished_at ?? run.created_at} now={now} />
      </p>
    </>
  );
}

/** A run that has no answer, with the reason: beside an answer it is the newest run. */
function WithoutAnswer({ run, now, newest }: { run: HomeRun; now: number; newest: boolean }) {
  return (
    <div className={styles.lost}>
      <p className={styles.meta}>
        {newest && <span>{t("newestRun")}</span>}
        {run.verdict && <State label={OUTCOMES.no_answer} />}
        <Link to={`/runs/${run.id}`}>{reasonOf(run)}</Link>
        <RelativeTime value={run.finished_at ?? run.created_at} now={now} />
      </p>
      <MeasureLost run={run} />
    </div>
  );
}

/** The button that starts the preset; its plan, for who may only read. */
function Run({ preset, host, text }: { preset: Preset; host: string; text: string }) {
  const mayStart = useMay("write");
  const start = useRunPreset(preset, host);
  const duration = formatDuration(preset.size.seconds);
  if (!mayStart) {
    const to = `/new?preset=${encodeURIComponent(preset.name)}`;
    return (
      <ButtonLink to={to} kind="ghost">
        <span aria-hidden="true">{t("seePlan")}</span>
        <span className="visually-hidden">{t("seePlanOf", { question: text })}</span>
      </ButtonLink>
    );
  }
  return (
    <>
      <Button busy={start.isPending} onClick={() => start.mutate()}>
        <span aria-hidden="true">{t("run")}</span>
        <span className="visually-hidden">{t("runOf", { question: text, host, duration })}</span>
      </Button>
      <span className={styles.quiet} aria-hidden="true">
        {duration}
      </span>
      {start.isError && (
        <p className={home.refused} role="alert">
          <bdi>{start.error.message}</bdi>
        </p>
      )}
    </>
  );
}
