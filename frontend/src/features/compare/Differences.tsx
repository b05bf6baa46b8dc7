import type { RunComparison } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { State, StateBadge } from "@/components/State";
import { factName } from "@/components/factName";
import { COMPARABLES, RELEVANCE } from "@/components/stateLabels";
import { messages } from "@/messages";
import { labelText } from "@/messages/labels";
import styles from "./ComparePage.module.css";

const t = messages("compare");

const ORDER = { blocking: 0, relevant: 1, minor: 2 } as const;

/** A table of the differences between two environments, blocking ones first. */
export function Differences({ model }: { model: RunComparison }) {
  const rows = [...model.differences].sort((x, y) => ORDER[x.relevance] - ORDER[y.relevance]);
  const blocking = rows.filter(({ relevance }) => relevance === "blocking").length;
  return (
    <Card
      title={t("environments")}
      note={rows.length === 0 ? t("noDifferences") : blocking > 0 ? t("differencesBlocking", { count: rows.length, blocking }) : t("differencesNone", { count: rows.length })}
      actions={<StateBadge label={COMPARABLES[model.comparable]} />}
      flush={rows.length > 0}
    >
      {rows.length > 0 && (
        <DataTable label={t("differencesTable")} columns={[[t("setting")], ["A"], ["B"], [t("relevance")], [t("remark")]]}>
          {rows.map((row) => (
            <tr key={row.key} data-relevance={row.relevance} className={styles.difference}>
              <th scope="row">{factName(row.key)}</th>
              <td data-label="A">{labelText(row.a ?? "–")}</td>
              <td data-label="B">{labelText(row.b ?? "–")}</td>
              <td data-label={t("relevance")}>
                <State label={RELEVANCE[row.relevance]} />
              </td>
              <td data-label={t("remark")}>{row.remark}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
