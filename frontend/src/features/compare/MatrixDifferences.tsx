import type { ComparisonMatrix } from "@/api/generated";
import { Card } from "@/components/Card";
import { State } from "@/components/State";
import { factName } from "@/components/factName";
import { RELEVANCE } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { messages } from "@/messages";
import styles from "./MatrixView.module.css";

const t = messages("compare");

/** What differs between the environments, with the value of each column; blocking differences first. */
export function MatrixDifferences({ model }: { model: ComparisonMatrix }) {
  const { differences, columns } = model;
  if (differences.length === 0) return <Card title={t("environments")} note={t("noDifferences")}>{null}</Card>;
  const blocking = differences.filter(({ relevance }) => relevance === "blocking").length;
  return (
    <Card title={t("environments")} note={blocking > 0 ? t("differencesBlocking", { count: differences.length, blocking }) : t("differencesNone", { count: differences.length })} flush>
      <TableScroll label={t("differencesTable")} folding>
        <table className={`${table.table} ${table.fold}`}>
          <thead>
            <tr>
              <th scope="col">{t("setting")}</th>
              <th scope="col">{t("relevance")}</th>
              {columns.map(({ letter, is_reference: own }) => (
                <th key={letter} scope="col">{own ? t("columnReference", { column: letter }) : letter}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differences.map((row) => (
              <tr key={row.key} className={styles.difference} data-relevance={row.relevance}>
                <th scope="row">{factName(row.key)}</th>
                <td data-label={t("relevance")}><State label={RELEVANCE[row.relevance]} /></td>
                {row.entries.map((entry, index) => (
                  <td key={index} data-label={columns[index]!.letter} data-differs={entry.relevance !== null || undefined}>
                    {entry.value ?? "–"}
                    {entry.relevance !== null && (
                      <small className={styles.small}>
                        ≠ {entry.remark}
                      </small>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}
