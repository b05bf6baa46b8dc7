import type { TrialRecord } from "@/api/types";
import { CpuSeries, TpsSeries } from "@/charts/TimeSeries";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatSignificant, words } from "@/components/format";
import { Note } from "@/components/Status";
import { Commands } from "./Commands";
import { CpuTable } from "./CpuTable";
import { EvidenceTable } from "./EvidenceTable";
import styles from "./TrialPage.module.css";

/** Everything that one trial left behind. */
export function RecordView({ record, trialId }: { record: TrialRecord; trialId: string }) {
  const { seconds } = record.window;
  return (
    <>
      {record.warnings?.map((warning) => (
        <Note key={warning} tone="warn">{warning}</Note>
      ))}
      <Headline record={record} />
      <div className={styles.pair}>
        {record.per_second.length > 0 && <TpsSeries points={record.per_second} seconds={Math.max(seconds, record.per_second.at(-1)?.t ?? 0)} />}
        {record.cpu_series.length > 0 && <CpuSeries points={record.cpu_series} seconds={Math.max(seconds, record.cpu_series.at(-1)?.t ?? 0)} />}
      </div>
      <EvidenceTable evidence={record.evidence} />
      <CpuTable record={record} />
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

function Headline({ record }: { record: TrialRecord }) {
  const { metrics } = record;
  const stats: [string, string, string][] = [
    ["throughput", formatNumber(metrics["tps"]), "1/s"],
    ["CPU per transaction", formatNumber(metrics["cpu_us_per_txn"], 1), "µs"],
    ["CPU of the host", formatNumber(metrics["cpu_cores"], 2), "cores"],
    [record.latency_measured ? "mean latency" : "mean latency (computed)", formatNumber(metrics["latency_avg_ms"], 3), "ms"],
    ["transactions", formatNumber(record.transactions), record.failed_transactions > 0 ? `${formatNumber(record.failed_transactions)} failed` : ""],
    ["context switches per transaction", formatSignificant(metrics["context_switches_per_txn"]), ""],
  ];
  return (
    <dl className={styles.stats}>
      {stats.map(([name, value, unit]) => (
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
