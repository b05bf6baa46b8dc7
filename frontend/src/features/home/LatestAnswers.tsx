import { useState } from "react";
import type { HomeRun } from "@/api/generated";
import { Button, ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { messages } from "@/messages";
import { answerAxis } from "./answerAxis";
import { AnswerRow } from "./AnswerRow";
import styles from "./LatestAnswers.module.css";

const t = messages("home");
const SHOWN = 6;

interface Props {
  runs: readonly HomeRun[];
  now: number;
}

/** The latest answers, a row each on one axis of ratios; runs without an answer among them. */
export function LatestAnswers({ runs, now }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? runs : runs.slice(0, SHOWN);
  const axis = answerAxis(shown);
  const actions = (
    <>
      <ButtonLink to="/library" kind="ghost">{t("allRuns")}</ButtonLink>
      {runs.length > 1 && <ButtonLink to="/compare" kind="ghost">{t("compareRuns")}</ButtonLink>}
    </>
  );
  return (
    <Card title={t("latest")} actions={actions}>
      {runs.length === 0 ? (
        <p className={styles.none}>{t("latestNone")}</p>
      ) : (
        <>
          <div className={styles.axis} aria-hidden="true">
            <p>{t("axis")}</p>
            <div className={styles.ticks}>
              {axis.ticks.map(({ at, label }) => (
                <span key={label} style={{ insetInlineStart: `${at}%` }}>
                  {label}
                </span>
              ))}
            </div>
          </div>
          <ul className={styles.rows}>
            {shown.map((run) => (
              <AnswerRow key={run.id} run={run} axis={axis} now={now} />
            ))}
          </ul>
          {runs.length > shown.length && (
            <Button kind="ghost" onClick={() => setAll(true)}>
              {t("showMore", { count: runs.length - shown.length })}
            </Button>
          )}
        </>
      )}
    </Card>
  );
}
