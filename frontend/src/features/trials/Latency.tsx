import type { TrialRecord } from "@/api/types";
import { LatencyHistogram } from "@/charts/LatencyHistogram";
import { LatencyPercentiles } from "@/charts/LatencyPercentiles";
import { isOpenLoop } from "@/charts/percentileLayout";

interface Props {
  record: Pick<TrialRecord, "histogram" | "metrics">;
  operations: string;
}

/** How long the operations took: by percentile where the loop was open, and by the tool's own classes. */
export function Latency({ record, operations }: Props) {
  const histogram = record.histogram ?? [];
  const open = isOpenLoop(record.metrics);
  return (
    <>
      {open && <LatencyPercentiles histogram={histogram} metrics={record.metrics} operations={operations} />}
      {histogram.length > 0 && <LatencyHistogram histogram={histogram} operations={operations} open={open} />}
    </>
  );
}
