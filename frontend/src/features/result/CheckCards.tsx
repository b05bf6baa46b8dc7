import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatInterval, formatP, formatRatio, formatSigned, plural } from "@/components/format";
import { State } from "@/components/State";
import { AA_OUTCOMES, DRIFTS } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";
import styles from "./Checks.module.css";
import { ClaimsCard } from "./ClaimsCard";
import { InterimCard } from "./InterimCard";
import { QualityCard } from "./QualityCard";
import pairs from "./ResultView.module.css";
import { ServersCard } from "./ServersCard";

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
export function DuplicateChecks({ model }: { model: ChartModel }) {
  if (model.duplicates.length === 0) return null;
  return (
    <Card title="A/A check" note="The baseline cell runs twice in every round, under two names: a difference between the two is an error of measurement">
      <ul className={styles.claims}>
        {model.duplicates.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State label={AA_OUTCOMES[check.outcome ?? "cannot_tell"]} />
            <div>
              {serverText(check.sentence, check.message)}
              <p>
                {check.metric}: ratio {formatRatio(check.ratio)}, 95 % interval of this duplicate alone {formatInterval(check.interval, 3)}, p {formatP(check.p)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The drift checks: whether a baseline changed during the run. */
export function DriftChecks({ model }: { model: ChartModel }) {
  if (model.drifts.length === 0) return null;
  return (
    <Card title="Drift" note="Whether a baseline changed from the first round to the last. Comparisons are paired by round, so that drift cancels out">
      <ul className={styles.claims}>
        {model.drifts.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State label={DRIFTS[check.significant ? "shown" : "none"]} />
            <div>
              {serverText(check.sentence, check.message)}
              <p>
                {check.metric}: {formatSigned(check.change * 100, 1)} % over {plural(check.n, "round")}, Kendall’s p {formatP(check.p)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
