import type { Condition } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { State } from "@/components/State";
import { CONDITIONS } from "@/components/stateLabels";
import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

const parts = (): Record<Condition["part"], string> => ({
  database: t("partDatabase"),
  redis: "Redis",
  host: t("partHost"),
  server: t("partServer"),
  storage: t("partStorage"),
  quarantine: t("partQuarantine"),
});

/** The conditions of a host's worker: current ones first, then past ones, newest first. */
export function Conditions({ all }: { all: readonly Condition[] }) {
  if (all.length === 0) return null;
  const current = all.filter(({ until }) => until === null);
  const over = all.filter(({ until }) => until !== null).reverse();
  return (
    <Card title={t("conditions")} note={current.length > 0 ? t("conditionsNow") : t("conditionsPast")}>
      <ul className={styles.unable} aria-label={t("conditionsOf")}>
        {[...current, ...over].map((condition) => (
          <li key={`${condition.part} ${condition.since}`}>
            <State label={condition.until === null ? CONDITIONS.current : CONDITIONS.over}>{parts()[condition.part]}</State>
            <span>
              {condition.until === null ? t("since", { at: formatTime(condition.since) }) : t("fromTo", { from: formatTime(condition.since), to: formatTime(condition.until) })}: {condition.reason}. {condition.effect}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
