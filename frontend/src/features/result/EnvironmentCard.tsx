import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatNumber, humanize } from "@/components/format";

/** The environment of the run, its seed and its margin. */
export function EnvironmentCard({ model, hostHref }: { model: ChartModel; hostHref?: string }) {
  const facts = Object.entries(model.environment).map(([name, value]) => [humanize(name), value] as const);
  return (
    <Card title="Environment" note="The figures are valid for this environment" actions={hostHref && <Link to={hostHref}>Capabilities of this host</Link>}>
      <Facts
        facts={[
          ["seed of the trial order", String(model.seed)],
          ["rounds complete", `${model.rounds_complete} of ${model.rounds_planned}`],
          ["equivalence margin", `${formatNumber(model.margin * 100, 1)} %`],
          ...facts,
        ]}
      />
    </Card>
  );
}
