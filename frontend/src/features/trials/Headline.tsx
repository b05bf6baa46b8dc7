import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatSignificant } from "@/components/format";
import type { Rate } from "@/components/rates";
import styles from "./TrialPage.module.css";

/** The part of a measured or imported record that the headline shows. */
type Counted = Pick<TrialRecord, "metrics" | "transactions" | "failed_transactions" | "latency_measured">;

/** A card of facts; nothing where there are none. */
export function FactsCard({ title, note, facts }: { title: string; note?: string; facts: readonly (readonly [string, string])[] }) {
  if (facts.length === 0) return null;
  return (
    <Card title={title} note={note}>
      <Facts facts={facts} />
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
    ...figure("cpu_us_per_txn", `CPU per ${rate.operation}`, "µs", 1),
    ...figure("cpu_cores", "CPU of client, server, proxy and kernel", "cores", 2),
    ...figure("host_cpu_cores", "CPU of the whole host", "cores", 2),
    ...figure("latency_avg_ms", latency_measured ? "mean latency" : "mean latency (computed)", "ms", 3),
    ...figure("latency_p99_ms", "99th percentile of latency (closed loop)", "ms", 3),
    ...figure("open_latency_avg_ms", "mean latency (open loop)", "ms", 3),
    ...figure("open_latency_p99_ms", "99th percentile of latency (open loop)", "ms", 3),
    ...figure("jitter_ms", "jitter", "ms", 3),
    ...figure("lost_percent", "datagrams lost", "%", 2),
    ...figure("retransmits", "segments retransmitted", "", 0),
    [rate.operations, formatNumber(transactions), failed_transactions > 0 ? `${formatNumber(failed_transactions)} failed` : ""],
    ...(metrics["context_switches_per_txn"] === undefined ? [] : [[`context switches per ${rate.operation}`, formatSignificant(metrics["context_switches_per_txn"]), ""] as const]),
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
