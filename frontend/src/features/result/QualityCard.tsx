import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber } from "@/components/format";

type Quality = NonNullable<ChartModel["quality"]>;

/** "12 (steal 8, other processes 4)". */
function counted(count: number, kinds: Quality["retaken_by"]): string {
  const listed = kinds.map(({ kind, count: of }) => `${kind} ${formatNumber(of)}`).join(", ");
  return listed ? `${formatNumber(count)} (${listed})` : formatNumber(count);
}

/** How quiet the host was: time waited, trials repeated and trials excluded. */
export function QualityCard({ model: { quality, origin } }: { model: ChartModel }) {
  if (!quality || origin === "imported") return null;
  return (
    <Card title="How quiet the host was" note="Trials are repeated or excluded only for what runs outside client, server and proxy, never for their results">
      <p>{quality.sentence ?? "No trial was disturbed beyond the limits of the experiment."}</p>
      <Facts
        facts={[
          ["trials recorded", formatNumber(quality.trials)],
          ["repeated", counted(quality.retaken, quality.retaken_by)],
          ["measurements discarded", formatNumber(quality.retakes)],
          ["stayed contaminated, excluded", counted(quality.contaminated, quality.contaminated_by)],
          ["invalid, excluded", formatNumber(quality.invalid)],
          ["waited for a quiet host", formatDuration(quality.waited_seconds)],
        ]}
      />
    </Card>
  );
}
