import type { TrialRecord } from "@/api/types";
import { ClosingBar } from "@/charts/ClosingBar";
import { LatencyHistogram } from "@/charts/LatencyHistogram";
import { CpuSeries, RateSeries } from "@/charts/TimeSeries";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatSignificant, words } from "@/components/format";
import type { Rate } from "@/components/rates";
import { WarningList } from "@/components/WarningList";
import { Commands } from "./Commands";
import { EvidenceTable } from "./EvidenceTable";
import { ProcessTable } from "./ProcessTable";
import styles from "./TrialPage.module.css";

interface Props {
  record: TrialRecord;
  trialId: string;
  /** The rate of the trial's tool. */
  rate: Rate;
}

/** Everything that one trial left behind. */
export function RecordView({ record, trialId, rate }: Props) {
  const { seconds } = record.window;
  const histogram = record.histogram ?? [];
  return (
    <>
      <WarningList warnings={record.warnings ?? []} label="Warnings of this trial" />
      <Headline record={record} rate={rate} />
      <div className={styles.pair}>
        {record.per_second.length > 0 && <RateSeries points={record.per_second} seconds={Math.max(seconds, record.per_second.at(-1)?.t ?? 0)} rate={rate} />}
        {record.cpu_series.length > 0 && <CpuSeries points={record.cpu_series} seconds={Math.max(seconds, record.cpu_series.at(-1)?.t ?? 0)} />}
      </div>
      <ClosingBar cpu={record.cpu} seconds={seconds} operations={record.transactions} operation={rate.operation} />
      <EvidenceTable evidence={record.evidence} />
      <ProcessTable processes={record.processes ?? []} seconds={seconds} />
      {histogram.length > 0 && <LatencyHistogram histogram={histogram} operations={rate.operations} />}
      <Commands commands={record.commands} trialId={trialId} />
      <div className={styles.pair}>
        <Card title="Counters" note="Over the measured window">
          <Facts facts={Object.entries(record.counters).map(([name, value]) => [words(name), formatNumber(value)] as const)} />
        </Card>
        <Card title="Versions">
          <Facts facts={Object.entries(record.versions).map(([name, value]) => [words(name), value] as const)} />
        </Card>
      </div>
    </>
  );
}

type Stat = readonly [name: string, value: string, unit: string];

/** The figures that this trial has; one that was not observed is not there. */
function stats({ metrics, transactions, failed_transactions, latency_measured }: TrialRecord, rate: Rate): Stat[] {
  const figure = (metric: string, name: string, unit: string, decimals: number): Stat[] =>
    metrics[metric] === undefined ? [] : [[name, formatNumber(metrics[metric], decimals), unit]];
  return [
    ...figure(rate.metric, rate.label, rate.unit, rate.decimals),
    ...figure("cpu_us_per_txn", `CPU per ${rate.operation}`, "µs", 1),
    ...figure("cpu_cores", "CPU of the host", "cores", 2),
    ...figure("latency_avg_ms", latency_measured ? "mean latency" : "mean latency (computed)", "ms", 3),
    ...figure("latency_p99_ms", "99th percentile of latency", "ms", 3),
    ...figure("jitter_ms", "jitter", "ms", 3),
    ...figure("lost_percent", "datagrams lost", "%", 2),
    ...figure("retransmits", "segments sent again", "", 0),
    [rate.operations, formatNumber(transactions), failed_transactions > 0 ? `${formatNumber(failed_transactions)} failed` : ""],
    ...(metrics["context_switches_per_txn"] === undefined ? [] : [[`context switches per ${rate.operation}`, formatSignificant(metrics["context_switches_per_txn"]), ""] as const]),
  ];
}

function Headline({ record, rate }: { record: TrialRecord; rate: Rate }) {
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
