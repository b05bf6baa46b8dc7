import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatP, formatNumber, formatSigned } from "@/components/format";
import { State } from "@/components/State";
import { AA_OUTCOMES, DRIFTS } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./Checks.module.css";
import { ClaimsCard } from "./ClaimsCard";
import { InterimCard } from "./InterimCard";
import { QualityCard } from "./QualityCard";
import { memoFields } from "./memoFields";
import pairs from "./ResultView.module.css";
import { ServersCard } from "./ServersCard";

const t = messages("result");

/** What qualifies a result: the study's claims, interim analyses, A/A checks, host noise, server starts, drift. */
export function CheckCards({ model }: { model: ChartModel }) {
  return (
    <div className={pairs.pair}>
      <ClaimsCard model={model} />
      <InterimCard model={model} />
      <DuplicateChecks model={model} />
      <QualityCard model={model} />
      <ServersCard model={model} />
      <DriftChecks model={model} />
    </div>
  );
}

/** The A/A checks: comparisons of a baseline with its duplicate. */
export const DuplicateChecks = memoFields<"duplicates">(["duplicates"], function DuplicateChecks({ model }) {
  if (model.duplicates.length === 0) return null;
  return (
    <Card title={t("aa")} note={t("aaNote")}>
      <ul className={styles.claims}>
        {model.duplicates.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State label={AA_OUTCOMES[check.outcome ?? "cannot_tell"]} />
            <div>
              {serverText(check.sentence, check.message)}
              <p>
                {t("aaFigures", {
                  metric: check.metric,
                  ratio: formatEffect(check),
                  interval: formatEffectInterval(check) || "–",
                  p: formatP(check.p),
                })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
});

/** The drift checks: whether a baseline changed during the run. A change beyond the margin that is not significant decides nothing. */
export const DriftChecks = memoFields<"drifts" | "margin">(["drifts", "margin"], function DriftChecks({ model }) {
  if (model.drifts.length === 0) return null;
  return (
    <Card title={t("drift")} note={t("driftNote")}>
      <ul className={styles.claims}>
        {model.drifts.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State label={DRIFTS[check.significant ? "shown" : Math.abs(check.change) > model.margin ? "unclear" : "none"]} />
            <div>
              {serverText(check.sentence, check.message)}
              <p>
                {t("driftFigures", { count: check.n, n: formatNumber(check.n), metric: check.metric, change: formatSigned(check.change * 100, 1), p: formatP(check.p) })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
});
