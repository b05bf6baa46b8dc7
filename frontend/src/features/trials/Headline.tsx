import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { FoldedFacts } from "@/components/FoldedFacts";
import { formatNumber, formatSignificant } from "@/components/format";
import type { Rate } from "@/components/rates";
import { messages } from "@/messages";
import styles from "./TrialPage.module.css";

const t = messages("trials");

/** The part of a measured or imported record that the headline shows. */
type Counted = Pick<TrialRecord, "metrics" | "transactions" | "failed_transactions" | "latency_measured">;

/** A card of folded facts; nothing where there are none. */
export function FactsCard({ title, note, facts }: { title: string; note?: string; facts: readonly (readonly [string, string])[] }) {
  if (facts.length === 0) return null;
  return (
    <Card title={title} note={note}>
      <FoldedFacts facts={facts} />
    </Card>
  );
}

type Stat = readonly [name: string, value: string, unit: string];

/** Returns the figures that this trial has. */
function stats({ metrics, transactions, failed_transactions, latency_measured }: Counted, rate: Rate): Stat[] {
  const figure = (metric: string, name: string, unit: string, decimals: number): Stat[] =>
    metrics[metric] === undefined ? [] : [[name, formatNumber(metrics[metric], decimals), unit]];
  return [
    ...figure(rate.metric, rate.label, rate.unit, rate.decimals),
    ...figure("cpu_us_per_txn", t("cpuPer", { operation: rate.operation }), "µs", 1),
    ...figure("cpu_cores", t("cpuOfRoles"), t("cores"), 2),
    ...figure("host_cpu_cores", t("cpuOfHost"), t("cores"), 2),
    ...figure("latency_avg_ms", latency_measured ? t("latencyMean") : t("latencyComputed"), "ms", 3),
    ...figure("latency_p99_ms", t("latencyP99"), "ms", 3),
    ...figure("open_latency_avg_ms", t("openMean"), "ms", 3),
    ...figure("open_latency_p99_ms", t("openP99"), "ms", 3),
    ...figure("jitter_ms", t("jitter"), "ms", 3),
    ...figure("lost_percent", t("lost"), "%", 2),
    ...figure("retransmits", t("retransmits"), "", 0),
    [rate.operations, formatNumber(transactions), failed_transactions > 0 ? t("failedOperations", { number: formatNumber(failed_transactions) }) : ""],
    ...(metrics["context_switches_per_txn"] === undefined ? [] : [[t("switchesPer", { operation: rate.operation }), formatSignificant(metrics["context_switches_per_txn"]), ""] as const]),
  ];
}

/** The main figures of a trial. */
export function Headline({ record, rate }: { record: Counted; rate: Rate }) {
  return (
    <dl className={styles.stats}>
      {stats(record, rate).map(([name, value, unit]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} <small>{unit}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
