import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber } from "@/components/format";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";

const t = messages("result");

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
    <Card title={t("noise")} note={t("noiseNote")}>
      <p>{quality.sentence == null ? t("noNoise") : serverText(quality.sentence, quality.message)}</p>
      <Facts
        facts={[
          [t("trialsRecorded"), formatNumber(quality.trials)],
          [t("repeated"), counted(quality.retaken, quality.retaken_by)],
          [t("discarded"), formatNumber(quality.retakes)],
          [t("contaminated"), counted(quality.contaminated, quality.contaminated_by)],
          [t("invalidTrials"), formatNumber(quality.invalid)],
          ...(quality.excluded ? [[t("excludedByHand"), formatNumber(quality.excluded)] as const] : []),
          [t("quietWait"), formatDuration(quality.waited_seconds)],
        ]}
      />
    </Card>
  );
}
