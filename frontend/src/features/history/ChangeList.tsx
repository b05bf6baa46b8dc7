import { useState } from "react";
import type { History, HistoryChange } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { messages } from "@/messages";
import styles from "./history.module.css";
import { changeText, coincidesText, differenceText, sizeText } from "./texts";

const t = messages("history");
const SHOWN = 5;

interface Props {
  history: History;
  /** Shows the series of a change. */
  onChoose: (change: Pick<HistoryChange, "cell_id" | "metric" | "basis">) => void;
}

/** The changes of a history in one line each, the largest first; or that there is none, or that there are too few runs. */
export function ChangeList({ history, onChoose }: Props) {
  const [all, setAll] = useState(false);
  const { changes, differences = [], family } = history;
  if (history.runs_missing > 0) return <Card title={t("changes")}><p className={styles.sentence}>{t("tooShort", { count: history.runs_missing, fewest: history.fewest_runs })}</p></Card>;
  if (changes.length + differences.length === 0) return <Card title={t("changes")}><p className={styles.sentence}>{t("stable", { count: family })}</p></Card>;
  const rest = changes.length - SHOWN;
  return (
    <Card title={t("changes")} note={t("changesNote", { count: family })}>
      <ul className={styles.changes}>
        {differences.map((change) => (
          <li key={`${change.cell_id} ${change.metric} ${change.at}`}>
            <p className={styles.sentence}>
              <button type="button" className={styles.choose} onClick={() => onChoose(change)}>
                {differenceText(change, labelOf(history, change.cell_id), metricOf(history, change.metric))}
              </button>{" "}
              <span className={styles.word}>{change.direction === "better" ? `▲ ${t("better")}` : `▼ ${t("worse")}`}</span>
            </p>
            <p className={styles.detail}>{coincidesText(change.environment)}</p>
          </li>
        ))}
        {(all ? changes : changes.slice(0, SHOWN)).map((change) => (
          <li key={`${change.cell_id} ${change.metric} ${change.basis} ${change.at}`}>
            <p className={styles.sentence}>
              <button type="button" className={styles.choose} onClick={() => onChoose(change)}>
                {changeText(change, labelOf(history, change.cell_id), metricOf(history, change.metric))}
              </button>{" "}
              <span className={styles.word}>{change.direction === "better" ? `▲ ${t("better")}` : `▼ ${t("worse")}`}</span>
            </p>
            <p className={styles.detail}>{sizeText(change, family)}</p>
            <p className={styles.detail}>{coincidesText(change.environment)}</p>
          </li>
        ))}
      </ul>
      {!all && rest > 0 && <Button kind="ghost" onClick={() => setAll(true)}>{t("showMore", { count: rest })}</Button>}
    </Card>
  );
}

export function labelOf({ cells }: History, id: string): string {
  return cells.find((cell) => cell.id === id)?.label ?? id;
}

export function metricOf({ metrics }: History, name: string): string {
  return metrics.find(({ metric }) => metric === name)?.label ?? name;
}
