import { Link } from "react-router";
import type { HomeRun } from "@/api/generated";
import { outcomeOf } from "@/components/runOutcome";
import { RelativeTime } from "@/components/RelativeTime";
import { State } from "@/components/State";
import { OUTCOMES } from "@/components/stateLabels";
import { messages } from "@/messages";
import type { AnswerAxis, AnswerMark } from "./answerAxis";
import { figureOf, reasonOf } from "./figures";
import styles from "./LatestAnswers.module.css";
import { MeasureLost } from "./MeasureLost";
import { Signs } from "./Signs";

const t = messages("home");

interface Props {
  run: HomeRun;
  axis: AnswerAxis;
  now: number;
}

/** A run on the common axis: what was compared, its ratio with the interval, outcome, host, age. */
export function AnswerRow({ run, axis, now }: Props) {
  const { verdict } = run;
  const figure = verdict && figureOf(verdict);
  const mark = axis.marks.get(run.id);
  const outcome = verdict ? outcomeOf(verdict) : null;
  const { cell = "", baseline = "" } = figure ?? {};
  const what = figure && t("comparedWith", { metric: verdict.metric_label, cell, baseline });
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <Link to={`/runs/${run.id}`} className={styles.title} title={run.title}>
          {run.title}
        </Link>
        {what && (
          <span className={styles.cell} title={what}>
            {cell}
          </span>
        )}
      </div>
      {figure ? (
        <span className={styles.plot} title={figure.interval} aria-hidden="true">
          {axis.ticks.map(({ at, label }) => (
            <i key={label} className={styles.tick} data-one={at === axis.one} style={left(at)} />
          ))}
          {mark && outcome && <Mark mark={mark} outcome={outcome} />}
        </span>
      ) : (
        <span className={styles.why}>
          <span title={reasonOf(run)}>{reasonOf(run)}</span>
          <MeasureLost run={run} />
        </span>
      )}
      <span className={styles.value}>
        {figure?.change}
        {figure?.interval && <span className="visually-hidden"> ({figure.interval})</span>}
      </span>
      <span className={styles.word}>{outcome && <State label={OUTCOMES[outcome]} />}</span>
      <span className={styles.host} title={run.host}>
        <bdi>{run.host}</bdi>
        <Signs run={run} />
      </span>
      <span className={styles.age}>
        <RelativeTime value={run.finished_at ?? run.created_at} now={now} />
      </span>
    </li>
  );
}

const left = (at: number) => ({ insetInlineStart: `${at}%` });

function Mark({ mark, outcome }: { mark: AnswerMark; outcome: keyof typeof OUTCOMES }) {
  const { at, low, high, cutLow, cutHigh, beyond } = mark;
  return (
    <span className={styles.mark} data-outcome={outcome}>
      {low !== null && high !== null && (
        <i
          className={styles.interval}
          data-cut={cutLow || cutHigh || undefined}
          style={{ insetInlineStart: `${low}%`, width: `${high - low}%` }}
        />
      )}
      {beyond === 0 ? (
        <i className={styles.dot} style={left(at)} />
      ) : (
        <i className={styles.arrow} style={left(at)}>
          {beyond < 0 ? "◀" : "▶"}
        </i>
      )}
    </span>
  );
}
