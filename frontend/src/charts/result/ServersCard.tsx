import type { ChartModel, Comparison } from "@/api/chart";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, formatPercent, plural } from "@/components/format";
import { StateBadge } from "@/components/State";

const OLD = { glyph: "!", word: "one server start for all rounds", tone: "warn" } as const;

/** How many comparisons of the first metric lie within one server, and how many across. */
function kinds({ cells, axes }: ChartModel): Record<NonNullable<Comparison["server"]>, number> {
  const metric = axes[0]?.metric ?? "";
  const found = cells.flatMap((cell) => (cell.is_duplicate ? [] : (cell.comparisons[metric]?.server ?? [])));
  return { shared: found.filter((each) => each === "shared").length, own: found.filter((each) => each === "own").length };
}

/** How often the servers were started, what a start changes, and which comparisons that concerns. */
export function ServersCard({ model }: { model: ChartModel }) {
  const { servers, axes } = model;
  if (!servers) return null;
  const { shared, own } = kinds(model);
  return (
    <Card title="Server starts" note="What a server gets when it starts stays with it for all rounds that it serves" actions={servers.restart_every === null && <StateBadge told={OLD} />}>
      <p>{servers.sentence}</p>
      <Facts
        facts={[
          ["server starts in this run", servers.starts === null ? "not recorded" : formatNumber(servers.starts)],
          ["comparisons within one server", `${formatNumber(shared)}: a start changes both cells alike`],
          ["comparisons across servers", `${formatNumber(own)}: n counts server starts`],
          ...(servers.between === null ? [] : [[`${axes[0]?.metric ?? ""}: spread that a start adds`, formatPercent(servers.between)] as const]),
          ...(servers.within === null ? [] : [[`${axes[0]?.metric ?? ""}: spread of a trial on a running server`, formatPercent(servers.within)] as const]),
          ["restarted", servers.restart_every === null ? "never" : servers.restart_every === 1 ? "every round" : `every ${plural(servers.restart_every, "round")}`],
        ]}
      />
    </Card>
  );
}
