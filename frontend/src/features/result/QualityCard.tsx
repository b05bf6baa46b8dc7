import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { serverText } from "@/components/serverText";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber } from "@/components/format";

type Quality = NonNullable<ChartModel["quality"]>;

/** "12 (steal 8, other processes 4)". */
function counted(count: number, kinds: Quality["retaken_by"]): string {
  const listed = kinds.map(({ kind, count: of }) => `${kind} ${formatNumber(of)}`).join(", ");
  return listed ? `${formatNumber(count)} (${listed})` : formatNumber(count);
}

/** Host noise: waiting time, repeated and excluded trials. */
export function QualityCard({ model: { quality, origin } }: { model: ChartModel }) {
  if (!quality || origin === "imported") return null;
  return (
    <Card title="Host noise" note="Trials are repeated or excluded because of other activity on the host, never because of their results">
      <p>{quality.sentence ? serverText(quality.sentence, quality.message) : "No trial was disturbed beyond the limits of the experiment."}</p>
      <Facts
        facts={[
          ["trials recorded", formatNumber(quality.trials)],
          ["repeated", counted(quality.retaken, quality.retaken_by)],
          ["measurements discarded", formatNumber(quality.retakes)],
          ["contaminated after all repeats, excluded", counted(quality.contaminated, quality.contaminated_by)],
          ["invalid, excluded", formatNumber(quality.invalid)],
          ...(quality.excluded ? [["excluded by hand", formatNumber(quality.excluded)] as const] : []),
          ["wait for a quiet host", formatDuration(quality.waited_seconds)],
        ]}
      />
    </Card>
  );
}
