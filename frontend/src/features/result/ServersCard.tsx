import type { ChartModel, Comparison } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatPercent } from "@/components/format";
import { StateBadge } from "@/components/State";
import { ONE_START } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";

const t = messages("result");

/** Returns the number of comparisons of the first metric within one server and across servers. */
function comparisonCounts({ cells, axes }: ChartModel): Record<NonNullable<Comparison["server"]>, number> {
  const metric = axes[0]?.metric ?? "";
  const found = cells.flatMap((cell) => (cell.is_duplicate ? [] : (cell.comparisons[metric]?.server ?? [])));
  return { shared: found.filter((each) => each === "shared").length, own: found.filter((each) => each === "own").length };
}

/** Server starts: their number, the spread that they add, and the comparisons that they affect. */
export function ServersCard({ model }: { model: ChartModel }) {
  const { servers, axes } = model;
  if (!servers) return null;
  const { shared, own } = comparisonCounts(model);
  return (
    <Card title={t("servers")} note={t("serversNote")} actions={servers.restart_every === null && <StateBadge label={ONE_START} />}>
      <p>{serverText(servers.sentence, servers.message)}</p>
      <Facts
        facts={[
          [t("serverStarts"), servers.starts === null ? t("notRecorded") : formatNumber(servers.starts)],
          [t("withinServer"), t("withinServerText", { n: formatNumber(shared) })],
          [t("acrossServers"), t("acrossServersText", { n: formatNumber(own) })],
          ...(servers.between === null ? [] : [[t("spreadStart", { metric: axes[0]?.metric ?? "" }), formatPercent(servers.between)] as const]),
          ...(servers.within === null ? [] : [[t("spreadWithin", { metric: axes[0]?.metric ?? "" }), formatPercent(servers.within)] as const]),
          [t("restarted"), servers.restart_every === null ? t("never") : t("everyRounds", { count: servers.restart_every, n: formatNumber(servers.restart_every) })],
        ]}
      />
    </Card>
  );
}
