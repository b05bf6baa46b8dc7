import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { State } from "@/components/State";
import { claimParts, claimState } from "@/components/stateLabels";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import { labelText } from "@/messages/labels";
import styles from "./Checks.module.css";

const t = messages("result");

/** The claims of the published study, each compared with this run. */
export function ClaimsCard({ model }: { model: ChartModel }) {
  if (!model.study) return null;
  return (
    <Card title={t("claims")} note={t("studyCited", { title: labelText(model.study.title), citation: model.study.citation, environment: labelText(model.study.environment) })}>
      <ul className={styles.claims}>
        {model.study.claims.map((claim) => (
          <li key={claim.text}>
            <State label={claimState(claim)} />
            <div>
              <q>{labelText(claim.text)}</q>
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
