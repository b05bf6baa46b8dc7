import type { RunComparison } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { plural, humanize } from "@/components/format";
import { State, StateBadge } from "@/components/State";
import { COMPARABLES, RELEVANCE } from "@/components/stateLabels";
import styles from "./ComparePage.module.css";

const ORDER = { blocking: 0, relevant: 1, minor: 2 } as const;

/** A table of the differences between two environments, blocking ones first. */
export function Differences({ model }: { model: RunComparison }) {
  const rows = [...model.differences].sort((x, y) => ORDER[x.relevance] - ORDER[y.relevance]);
  const blocking = rows.filter(({ relevance }) => relevance === "blocking").length;
  return (
    <Card
      title="Environments"
      note={rows.length === 0 ? "No difference between the recorded environments" : `${plural(rows.length, "difference")}${blocking > 0 ? `, ${blocking} of them blocking` : ", none of them blocking"}`}
      actions={<StateBadge label={COMPARABLES[model.comparable]} />}
      flush={rows.length > 0}
    >
      {rows.length > 0 && (
        <DataTable label="Differences of the environments" columns={[["Setting"], ["A"], ["B"], ["Relevance"], ["Remark"]]}>
          {rows.map((row) => (
            <tr key={row.key} data-relevance={row.relevance} className={styles.difference}>
              <th scope="row">{humanize(row.key)}</th>
              <td data-label="A">{row.a ?? "–"}</td>
              <td data-label="B">{row.b ?? "–"}</td>
              <td data-label="relevance">
                <State label={RELEVANCE[row.relevance]} />
              </td>
              <td data-label="remark">{row.remark}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
