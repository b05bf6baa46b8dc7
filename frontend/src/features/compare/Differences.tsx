import type { CrossModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { plural, words } from "@/components/format";
import { State, StateBadge } from "@/components/State";
import { COMPARABLES, WEIGHTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import styles from "./ComparePage.module.css";

const ORDER = { decides: 0, matters: 1, noted: 2 } as const;

/** Differences between the two environments, blocking ones first. */
export function Differences({ model }: { model: CrossModel }) {
  const rows = [...model.differences].sort((x, y) => ORDER[x.weight] - ORDER[y.weight]);
  const blocking = rows.filter(({ weight }) => weight === "decides").length;
  return (
    <Card
      title="Environments"
      note={rows.length === 0 ? "No difference between the recorded environments" : `${plural(rows.length, "difference")}${blocking > 0 ? `, ${blocking} of them blocking` : ", none of them blocking"}`}
      actions={<StateBadge label={COMPARABLES[model.comparable]} />}
      flush={rows.length > 0}
    >
      {rows.length > 0 && (
        <TableScroll label="Differences of the environments" folding>
          <table className={`${table.table} ${table.fold}`}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
                <th scope="col">Weight</th>
                <th scope="col">Remark</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key} data-weight={row.weight} className={styles.difference}>
                  <th scope="row">{words(row.key)}</th>
                  <td data-label="A">{row.a ?? "–"}</td>
                  <td data-label="B">{row.b ?? "–"}</td>
                  <td data-label="weight">
                    <State label={WEIGHTS[row.weight]} />
                  </td>
                  <td data-label="remark">{row.remark}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Card>
  );
}
