import { useState } from "react";
import type { HostsResult } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { humanize, plural } from "@/components/format";
import { State } from "@/components/State";
import { RELEVANCE } from "@/components/stateLabels";

/** A table of the facts in which the hosts differ; minor ones on request. */
export function HostDifferences({ model: { differences, members } }: { model: HostsResult }) {
  const [all, setAll] = useState(false);
  const main = differences.filter(({ relevance }) => relevance !== "minor");
  const shown = all ? differences : main;
  const more = differences.length - main.length;
  return (
    <Card
      title="How the hosts differ"
      note={differences.length === 0 ? "No difference between the recorded environments" : `${plural(main.length, "difference")} that can move the figures`}
      actions={more > 0 ? <Button kind="ghost" onClick={() => setAll(!all)}>{all ? "Hide minor differences" : `Show ${plural(more, "minor difference")}`}</Button> : undefined}
      flush={shown.length > 0}
    >
      {shown.length > 0 && (
        <DataTable label="How the hosts differ" columns={[["Fact"], ...members.map(({ host }) => [host] as const), ["Relevance"], ["Remark"]]}>
          {shown.map((row) => (
            <tr key={row.key}>
              <th scope="row">{humanize(row.key)}</th>
              {row.values.map((value, index) => (
                <td key={members[index]?.host ?? index} data-label={members[index]?.host}>{value ?? "–"}</td>
              ))}
              <td data-label="relevance"><State label={RELEVANCE[row.relevance]} /></td>
              <td data-label="remark">{row.remark}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
