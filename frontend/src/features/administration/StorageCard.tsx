import { useQuery } from "@tanstack/react-query";
import { getStorage } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatBytes } from "@/components/format";
import { Meter } from "@/components/Meter";
import { QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { messages } from "@/messages";

const t = messages("administration");

const columns = () => [[t("team")], [t("endedRuns"), "num"], [t("limit"), "num"], [<span key="share" className="visually-hidden">{t("share")}</span>]] as const;
const SHOWN = 10;

/** What takes the disk of the database: by team, and the largest tables. */
export function StorageCard() {
  const storage = useQuery({ queryKey: ["storage"], queryFn: () => getStorage() });
  const largest = storage.data?.tables.slice(0, 3).map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`).join(", ");
  return (
    <Card title={t("storage")} note={storage.data && t("databaseTakes", { bytes: formatBytes(storage.data.database_bytes), largest: largest ?? "" })} flush={Boolean(storage.data)}>
      <QueryStatus query={storage} label={t("loadingStorage")} />
      {storage.data && (
        <DataTable label={t("storageByTeam")} columns={columns()}>
          {storage.data.teams.slice(0, SHOWN).map((team) => (
            <tr key={team.id}>
              <th scope="row">{team.name}</th>
              <td data-label={t("endedRuns")} className={table.num}>{formatBytes(team.bytes)}</td>
              <td data-label={t("limit")} className={table.num}>{formatBytes(team.limit)}</td>
              <td><Meter value={team.bytes} most={team.limit} color="var(--accent)" /></td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
