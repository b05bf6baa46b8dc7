import { Link } from "react-router";
import type { RunComparison, RunComparisonTable, RunSide } from "@/api/generated";
import type { Basis } from "@/api/types";
import type { ImageHref } from "@/api/exports";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { onDemand } from "@/components/onDemand";
import { Select } from "@/components/Select";
import { StateBadge } from "@/components/State";
import { IMPORTED } from "@/components/stateLabels";
import { Loading, Note } from "@/components/Status";
import { TableScroll } from "@/components/TableScroll";
import { Toggle } from "@/components/Toggle";
import { messages, withMessages } from "@/messages";
import { ComparisonRows } from "./ComparisonRows";
import styles from "./ComparePage.module.css";
import { Differences } from "./Differences";

const RatioPlot = onDemand(async () => (await withMessages(import("@/charts/RatioPlot"))).RatioPlot);

const t = messages("compare");

function basisOptions() {
  return [
    { value: "values", label: t("values"), title: t("valuesTitle") },
    { value: "ratios", label: t("ratios"), title: t("ratiosTitle") },
  ] as const;
}

interface Props {
  model: RunComparison;
  metric: string | null;
  /** The image addresses of the chart of a metric. */
  image: (metric: string) => ImageHref;
  /** The address of a new run of B's experiment. */
  again?: string | undefined;
  onChange: (changes: Record<string, string | null>) => void;
}

/** A comparison: differences between the environments, then the figures or the refusal. */
export function ComparisonView({ model, metric, image, again, onChange }: Props) {
  return (
    <>
      {model.overridden && (
        <Note tone="bad">
          <strong>{t("overridden")}</strong> {t("overriddenText")} <Reasons reasons={model.reasons} />
        </Note>
      )}
      <div className={styles.pair}>
        <SideFacts name="A" side={model.a} />
        <SideFacts name="B" side={model.b} />
      </div>
      <Differences model={model} />
      {model.refused ? <Refused model={model} onChange={onChange} /> : <Figures model={model} metric={metric} image={image} again={again} onChange={onChange} />}
    </>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

function SideFacts({ name, side }: { name: string; side: RunSide }) {
  return (
    <Card>
      <p className={styles.facts}>
        <b>{name}</b> <Link to={`/runs/${side.run_id}`}>{side.title}</Link>
        {side.origin === "imported" && <StateBadge label={IMPORTED} />}
      </p>
      <p className={styles.quiet}>
        {t("sideFacts", { host: side.host, at: side.started_at ? formatTime(side.started_at) : t("startNotRecorded"), count: side.rounds })}
      </p>
    </Card>
  );
}

function BasisToggle({ model, onChange }: Pick<Props, "model" | "onChange">) {
  return <Toggle<Basis> label={t("basis")} options={basisOptions()} value={model.basis} onChange={(basis) => onChange({ basis })} />;
}

function Refused({ model, onChange }: Pick<Props, "model" | "onChange">) {
  const able = model.overridable;
  return (
    <Card
      title={t("notCompared")}
      note={able && model.basis === "values" ? t("blockingDifference") : t("reasonsWithAdvice")}
      actions={<BasisToggle model={model} onChange={onChange} />}
    >
      <Reasons reasons={model.reasons} />
      {able && (
        <p className={styles.anyway}>
          <Button kind="danger" onClick={() => onChange({ override: "1" })}>
            {t("compareAnyway")}
          </Button>
        </p>
      )}
    </Card>
  );
}

/** The spread between runs on the host; where it is unknown, a link that prepares a third run. */
function RunSpread({ spread, again }: { spread: RunComparisonTable["run_spread"]; again: string | undefined }) {
  if (!spread) return null;
  return (
    <Note tone={spread.percent === null ? "warn" : "info"}>
      {spread.sentence} {spread.percent === null && again && <Link to={again}>{t("prepareThirdRun")}</Link>}
    </Note>
  );
}

function Figures({ model, metric, image, again, onChange }: Props) {
  // The banner above already shows the reasons of an override.
  const inBanner = (warning: string) => model.overridden && model.reasons.length > 0 && model.reasons.every((reason) => warning.includes(reason));
  const spreads = model.tables.flatMap((table) => table.run_spread?.sentence ?? []);
  const cross = model.tables.find((table) => table.metric === metric) ?? model.tables[0];
  return (
    <>
      {!model.overridden && model.reasons.length > 0 && (
        <Note tone="warn">
          <Reasons reasons={model.reasons} />
        </Note>
      )}
      {model.warnings.filter((warning) => !inBanner(warning) && !spreads.includes(warning)).map((warning) => (
        <Note key={warning} tone="warn">{warning}</Note>
      ))}
      {cross ? (
        <>
          <RunSpread spread={cross.run_spread} again={again} />
          <Card
            title={t("bAgainstA")}
            note={model.basis === "ratios" ? t("eachOverBaseline", { headline: cross.headline }) : cross.headline}
            flush
            actions={
              <>
                <Select label={t("metric")} options={model.tables.map((table) => ({ value: table.metric, label: table.label }))} value={cross.metric} onChange={(next) => onChange({ metric: next })} />
                <BasisToggle model={model} onChange={onChange} />
              </>
            }
          >
            <TableScroll label={t("bAgainstA")} folding>
              <ComparisonRows cross={cross} ratios={model.basis === "ratios"} />
            </TableScroll>
          </Card>
          <RatioPlot fallback={<Loading label={t("loadingChart")} />} cross={cross} margin={model.margin} basis={model.basis} image={image(cross.metric)} table={<ComparisonRows cross={cross} ratios={model.basis === "ratios"} />} />
        </>
      ) : (
        <Note tone="warn">{t("noMetricInCommon")}</Note>
      )}
    </>
  );
}
