import { Link } from "react-router";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { factName } from "@/components/factName";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { memoFields } from "./memoFields";

const t = messages("result");
const answer = messages("answer");

const FIELDS = [
  "environment",
  "seed",
  "rounds_complete",
  "rounds_planned",
  "margin",
  "run_id",
] as const;
/** A version with its licence below it is said in its first line. */
const firstLine = (value: string) => value.split("\n", 1)[0] ?? "";
type Field = (typeof FIELDS)[number];

/** The environment of the run, its seed and its margin. */
export const EnvironmentCard = memoFields<Field, { hostHref?: string }>(
  FIELDS,
  function EnvironmentCard({ model, hostHref }) {
    const facts = Object.entries(model.environment).map(
      ([name, value]) => [factName(name), firstLine(value)] as const,
    );
    const rounds = {
      done: formatNumber(model.rounds_complete),
      all: formatNumber(model.rounds_planned),
    };
    return (
      <Card
        title={t("environment")}
        note={t("environmentNote")}
        actions={hostHref && <Link to={hostHref}>{t("capabilities")}</Link>}
      >
        <Facts
          facts={[
            [t("roundsComplete"), t("roundsOf", rounds)],
            [t("margin"), `${formatNumber(model.margin * 100, 1)} %`],
            ...facts.toSorted(([a], [b]) => a.localeCompare(b)),
            [t("seed"), String(model.seed)],
            ...(hostHref === undefined
              ? []
              : [[answer("runIdentifier"), <code key="run">{model.run_id}</code>] as const]),
          ]}
        />
      </Card>
    );
  },
);
