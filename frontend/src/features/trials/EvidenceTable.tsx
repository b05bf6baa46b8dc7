import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Hops } from "@/components/Hops";
import { State, StateBadge } from "@/components/State";
import { EVIDENCE, SIGNALS } from "@/components/stateLabels";
import { humanize } from "@/components/format";
import styles from "./TrialPage.module.css";

/** The expected and observed signals of a path, with the verdict. */
export function EvidenceTable({ evidence }: { evidence: TrialRecord["evidence"] }) {
  return (
    <Card title="Evidence of the path" note={`${evidence.path}: the signals are observed independently of each other`} flush>
      <div className={styles.sentence}>
        <StateBadge label={EVIDENCE[evidence.verdict]} />
        <div>
          <p>{evidence.sentence}</p>
          <Hops hops={evidence.hops} />
        </div>
      </div>
      <DataTable label="Evidence" columns={[["Signal"], ["Expected"], ["Observed"], ["Agreement"]]}>
        {evidence.signals.map((signal) => (
          <tr key={signal.name}>
            <th scope="row">{humanize(signal.name)}</th>
            <td data-label="expected">{signal.expected}</td>
            <td data-label="observed">{signal.observed}</td>
            <td data-label="agreement">
              <State label={SIGNALS[signal.state]} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}
