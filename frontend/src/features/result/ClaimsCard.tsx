import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { State } from "@/components/State";
import { claimParts, claimState } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { serverText } from "@/components/serverText";
import styles from "./Checks.module.css";

/** The claims of the published study, each compared with this run. */
export function ClaimsCard({ model }: { model: ChartModel }) {
  if (!model.study) return null;
  return (
    <Card title="Comparison with the published study" note={`${model.study.title}. ${model.study.citation}. ${model.study.environment}.`}>
      {model.trust && <Note tone="warn">{serverText(model.trust, model.trust_message)}</Note>}
      <ul className={styles.claims}>
        {model.study.claims.map((claim) => (
          <li key={claim.text}>
            <State label={claimState(claim)} />
            <div>
              <q>{claim.text}</q>
              {claimParts(claim).map((part) => (
                <div key={part.word}>
                  <State label={part} />
                </div>
              ))}
              <p>{serverText(claim.detail, claim.detail_message)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
