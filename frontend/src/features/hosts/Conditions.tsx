import type { Condition } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { State } from "@/components/State";
import { CONDITIONS } from "@/components/stateLabels";
import styles from "./HostPage.module.css";

const PARTS: Record<Condition["part"], string> = {
  database: "database",
  redis: "Redis",
  host: "measurements on this host",
  server: "the server",
  storage: "the worker’s disk",
  quarantine: "records set aside",
};

/** The conditions of a host's worker: current ones first, then past ones, newest first. */
export function Conditions({ all }: { all: readonly Condition[] }) {
  if (all.length === 0) return null;
  const current = all.filter(({ until }) => until === null);
  const over = all.filter(({ until }) => until !== null).reverse();
  return (
    <Card title="Conditions" note={current.length > 0 ? "Current and recent problems of this host’s worker" : "No current problem; recent ones of this host’s worker"}>
      <ul className={styles.unable} aria-label="Conditions of the worker">
        {[...current, ...over].map((condition) => (
          <li key={`${condition.part} ${condition.since}`}>
            <State label={condition.until === null ? CONDITIONS.current : CONDITIONS.over}>{PARTS[condition.part]}</State>
            <span>
              {condition.until === null ? `since ${formatTime(condition.since)}` : `from ${formatTime(condition.since)} to ${formatTime(condition.until)}`}: {condition.reason}. {condition.effect}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
