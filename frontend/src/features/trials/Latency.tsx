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

/** How long the operations took: by percentile where the loop was open, and by the tool's own classes. */
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
