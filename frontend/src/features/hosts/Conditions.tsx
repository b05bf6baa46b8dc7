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
  storage: "the worker’s disk",
  quarantine: "records set aside",
};

/** Conditions of a host's worker: present ones first, then the newest of those that are over. */
export function Conditions({ all }: { all: readonly Condition[] }) {
  if (all.length === 0) return null;
  const lasting = all.filter(({ until }) => until === null);
  const over = all.filter(({ until }) => until !== null).reverse();
  return (
    <Card title="Conditions" note={lasting.length > 0 ? "Conditions that keep this host’s worker from its work, and recent ones that are over" : "No condition at present; these are over"}>
      <ul className={styles.unable} aria-label="Conditions of the worker">
        {[...lasting, ...over].map((condition) => (
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
