import { Link } from "react-router";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { factName } from "@/components/factName";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { memoFields } from "./memoFields";

const t = messages("result");

/** The environment of the run, its seed and its margin. */
export const EnvironmentCard = memoFields<"environment" | "seed" | "rounds_complete" | "rounds_planned" | "margin", { hostHref?: string }>(["environment", "seed", "rounds_complete", "rounds_planned", "margin"], function EnvironmentCard({ model, hostHref }) {
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
});
