import type { ChartModel, Comparison } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatPercent, plural } from "@/components/format";
import { StateBadge } from "@/components/State";
import { ONE_START } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";

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
    <Card title="Server starts" note="Effects of a server start, such as its memory layout, last for all rounds until the next start" actions={servers.restart_every === null && <StateBadge label={ONE_START} />}>
      <p>{serverText(servers.sentence, servers.message)}</p>
      <Facts
        facts={[
          ["server starts in this run", servers.starts === null ? "not recorded" : formatNumber(servers.starts)],
          ["comparisons within one server", `${formatNumber(shared)}: a start affects both cells alike`],
          ["comparisons across servers", `${formatNumber(own)}: n counts server starts`],
          ...(servers.between === null ? [] : [[`${axes[0]?.metric ?? ""}: spread that a start adds`, formatPercent(servers.between)] as const]),
          ...(servers.within === null ? [] : [[`${axes[0]?.metric ?? ""}: spread of a trial on a running server`, formatPercent(servers.within)] as const]),
          ["restarted", servers.restart_every === null ? "never" : servers.restart_every === 1 ? "every round" : `every ${plural(servers.restart_every, "round")}`],
        ]}
      />
    </Card>
  );
}
