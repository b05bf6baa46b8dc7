import type { Condition } from "@/api/types";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { State } from "@/components/State";
import type { Told } from "@/components/states";
import styles from "./HostPage.module.css";

const PARTS: Record<Condition["part"], string> = {
  database: "database",
  redis: "Redis",
  host: "measurements on this host",
  storage: "the worker’s disk",
  quarantine: "records set aside",
};
const ON: Told = { glyph: "!", word: "now", tone: "bad" };
const OVER: Told = { glyph: "✓", word: "over", tone: "quiet" };

/** What is or lately was wrong with a host's worker: what lasts first, then the newest of what is over. */
export function Conditions({ all }: { all: readonly Condition[] }) {
  if (all.length === 0) return null;
  const lasting = all.filter(({ until }) => until === null);
  const over = all.filter(({ until }) => until !== null).reverse();
  return (
    <Card title="Conditions" note={lasting.length > 0 ? "What keeps this host’s worker from its work, and what was over lately" : "Nothing is wrong now; this was over lately"}>
      <ul className={styles.unable} aria-label="Conditions of the worker">
        {[...lasting, ...over].map((condition) => (
          <li key={`${condition.part} ${condition.since}`}>
            <State told={condition.until === null ? ON : OVER}>{PARTS[condition.part]}</State>
            <span>
              {condition.until === null ? `since ${formatTime(condition.since)}` : `from ${formatTime(condition.since)} to ${formatTime(condition.until)}`}: {condition.reason}. {condition.effect}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
