import type { TrialRecord } from "@/api/generated";
import { trialImage } from "@/api/exports";
import { CpuBreakdownCard } from "@/charts/CpuBreakdownCard";
import { CpuSeries, RateSeries } from "@/charts/TimeSeries";
import { formatNumber, humanize } from "@/components/format";
import type { Rate } from "@/components/rates";
import { NoticeList } from "@/components/NoticeList";
import { messages } from "@/messages";
import { Commands } from "./Commands";
import { EvidenceTable } from "./EvidenceTable";
import { FactsCard, Headline } from "./Headline";
import { Latency } from "./Latency";
import { ProcessTable } from "./ProcessTable";
import { Exclusion, QualityCard } from "./Quality";
import { recordName } from "./recordName";
import styles from "./TrialPage.module.css";

const t = messages("trials");

interface Props {
  record: TrialRecord;
  trialId: string;
  /** The rate of the trial's tool. */
  rate: Rate;
}

/** The complete record of a trial. */
export function RecordView({ record, trialId, rate }: Props) {
  const { seconds } = record.window;
  return (
    <>
      {record.quality && <Exclusion quality={record.quality} />}
      <NoticeList notices={record.notices ?? []} label={t("warnings")} />
      <Headline record={record} rate={rate} />
      <div className={styles.pair}>
        {record.per_second.length > 0 && <RateSeries points={record.per_second} seconds={Math.max(seconds, record.per_second.at(-1)?.t ?? 0)} rate={rate} image={trialImage(trialId, "rate")} />}
        {record.cpu_series.length > 0 && <CpuSeries points={record.cpu_series} seconds={Math.max(seconds, record.cpu_series.at(-1)?.t ?? 0)} image={trialImage(trialId, "cpu")} />}
      </div>
      <CpuBreakdownCard cpu={record.cpu} seconds={seconds} operations={record.transactions} operation={rate.operation} image={trialImage(trialId, "capacity")} />
      {record.quality && <QualityCard quality={record.quality} />}
      <EvidenceTable evidence={record.evidence} />
      <ProcessTable processes={record.processes ?? []} seconds={seconds} />
      <Latency record={record} trialId={trialId} operations={rate.operations} />
      <Commands commands={record.commands} trialId={trialId} />
      <div className={styles.pair}>
        <FactsCard title={t("counters")} note={t("countersNote")} facts={Object.entries(record.counters).map(([name, value]) => [recordName("counter", name), formatNumber(value)] as const)} />
        <FactsCard title={t("versions")} facts={Object.entries(record.versions).map(([name, value]) => [humanize(name), value] as const)} />
      </div>
    </>
  );
}
