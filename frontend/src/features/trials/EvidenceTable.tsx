import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Hops } from "@/components/Hops";
import { State, StateBadge } from "@/components/State";
import { EVIDENCE, SIGNALS } from "@/components/stateLabels";
import { humanize } from "@/components/format";
import { messages } from "@/messages";
import styles from "./TrialPage.module.css";

const t = messages("trials");

/** The expected and observed signals of a path, with the verdict. */
export function EvidenceTable({ evidence }: { evidence: TrialRecord["evidence"] }) {
  return (
    <Card title={t("evidenceTitle")} note={t("evidenceNote", { path: evidence.path })} flush>
      <div className={styles.sentence}>
        <StateBadge label={EVIDENCE[evidence.verdict]} />
        <div>
          <p>{evidence.sentence}</p>
          <Hops hops={evidence.hops} />
        </div>
      </div>
      <DataTable label={t("evidence")} columns={[[t("signal")], [t("expected")], [t("observed")], [t("agreement")]]}>
        {evidence.signals.map((signal) => (
          <tr key={signal.name}>
            <th scope="row">{humanize(signal.name)}</th>
            <td data-label={t("expected")}>{signal.expected}</td>
            <td data-label={t("observed")}>{signal.observed}</td>
            <td data-label={t("agreement")}>
              <State label={SIGNALS[signal.state]} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}
