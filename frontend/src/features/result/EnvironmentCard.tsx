import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { factName } from "@/components/factName";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";

const t = messages("result");

/** The environment of the run, its seed and its margin. */
export function EnvironmentCard({ model, hostHref }: { model: ChartModel; hostHref?: string }) {
  const facts = Object.entries(model.environment).map(([name, value]) => [factName(name), value] as const);
  return (
    <Card title={t("environment")} note={t("environmentNote")} actions={hostHref && <Link to={hostHref}>{t("capabilities")}</Link>}>
      <Facts
        facts={[
          [t("seed"), String(model.seed)],
          [t("roundsComplete"), t("roundsOf", { done: formatNumber(model.rounds_complete), all: formatNumber(model.rounds_planned) })],
          [t("margin"), `${formatNumber(model.margin * 100, 1)} %`],
          ...facts,
        ]}
      />
    </Card>
  );
}
