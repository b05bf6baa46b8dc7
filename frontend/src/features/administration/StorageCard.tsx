import { useQuery } from "@tanstack/react-query";
import { getStorage } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatBytes } from "@/components/format";
import { Meter } from "@/components/Meter";
import { QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";

const COLUMNS = [["Team"], ["Ended runs", "num"], ["Limit", "num"], [<span key="share" className="visually-hidden">Share</span>]] as const;
const SHOWN = 10;

/** What takes the disk of the database: by team, and the largest tables. */
export function StorageCard() {
  const storage = useQuery({ queryKey: ["storage"], queryFn: () => getStorage() });
  const largest = storage.data?.tables.slice(0, 3).map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`).join(", ");
  return (
    <Card title="Storage" note={storage.data && `The database takes ${formatBytes(storage.data.database_bytes)}: ${largest}`} flush={Boolean(storage.data)}>
      <QueryStatus query={storage} label="Loading the storage" />
      {storage.data && (
        <DataTable label="Storage by team" columns={COLUMNS}>
          {storage.data.teams.slice(0, SHOWN).map((team) => (
            <tr key={team.id}>
              <th scope="row">{team.name}</th>
              <td data-label="Ended runs" className={table.num}>{formatBytes(team.bytes)}</td>
              <td data-label="Limit" className={table.num}>{formatBytes(team.limit)}</td>
              <td><Meter value={team.bytes} most={team.limit} color="var(--accent)" /></td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
