import { useState } from "react";
import type { HostsResult } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { State } from "@/components/State";
import { factName } from "@/components/factName";
import { RELEVANCE } from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("groups");

/** A table of the facts in which the hosts differ; minor ones on request. */
export function HostDifferences({ model: { differences, members } }: { model: HostsResult }) {
  const [all, setAll] = useState(false);
  const main = differences.filter(({ relevance }) => relevance !== "minor");
  const shown = all ? differences : main;
  const more = differences.length - main.length;
  return (
    <Card
      title={t("differ")}
      note={differences.length === 0 ? t("noDifference") : t("mainDifferences", { count: main.length })}
      actions={more > 0 ? <Button kind="ghost" onClick={() => setAll(!all)}>{all ? t("hideMinor") : t("showMinor", { count: more })}</Button> : undefined}
      flush={shown.length > 0}
    >
      {shown.length > 0 && (
        <DataTable label={t("differ")} columns={[[t("fact")], ...members.map(({ host }) => [host] as const), [t("relevance")], [t("remark")]]}>
          {shown.map((row) => (
            <tr key={row.key}>
              <th scope="row">{factName(row.key)}</th>
              {row.values.map((value, index) => (
                <td key={members[index]?.host ?? index} data-label={members[index]?.host}>{value ?? "–"}</td>
              ))}
              <td data-label={t("relevanceLabel")}><State label={RELEVANCE[row.relevance]} /></td>
              <td data-label={t("remarkLabel")}>{row.remark}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
