import type { TrialRecord } from "@/api/generated";
import { trialImage } from "@/api/exports";
import { LatencyHistogram } from "@/charts/LatencyHistogram";
import { LatencyPercentiles } from "@/charts/LatencyPercentiles";
import { isOpenLoop } from "@/charts/percentileLayout";

interface Props {
  record: Pick<TrialRecord, "histogram" | "metrics">;
  trialId: string;
  operations: string;
}

/** The latency of a trial: percentiles of an open loop, and the histogram. */
export function Latency({ record, trialId, operations }: Props) {
  const histogram = record.histogram ?? [];
  const open = isOpenLoop(record.metrics);
  return (
    <>
      {open && <LatencyPercentiles histogram={histogram} metrics={record.metrics} operations={operations} image={trialImage(trialId, "percentiles")} />}
      {histogram.length > 0 && <LatencyHistogram histogram={histogram} operations={operations} open={open} image={trialImage(trialId, "latency")} />}
    </>
  );
}
