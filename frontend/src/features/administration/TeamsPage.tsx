import { useState } from "react";
import type { TeamEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Field } from "@/components/Field";
import { formatNumber, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { Empty, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useTitle } from "@/components/useTitle";
import { AdministrationPage } from "./AdministrationPage";
import { NewTeam } from "./NewTeam";
import { StorageCard } from "./StorageCard";
import { TeamDialog } from "./TeamDialog";
import { useTeams } from "./usePages";

const COLUMNS = [["Team"], ["Members", "num"], ["Experiments", "num"], ["Runs", "num"], ["Since"], [<span key="manage" className="visually-hidden">Manage</span>]] as const;

/** The teams of the installation. */
export function TeamsPage() {
  useTitle("Administration");
  const [text, setText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const teams = useTeams(text.trim());
  const rows = teams.data?.pages.flatMap(({ data }) => data) ?? [];
  const managed = rows.find(({ id }) => id === open);
  return (
    <AdministrationPage page="Teams" meta="Teams see nothing of each other. As an administrator of the installation you see their runs only as a member.">
      <NewTeam />
      <Card title="Teams" flush={rows.length > 0} actions={<Field label="Search" errors={[]}>{(ids) => <input {...ids} type="search" maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />}</Field>}>
        <QueryStatus query={teams} label="Loading the teams" />
        {teams.data && rows.length === 0 && <Empty title="No team matches" />}
        {rows.length > 0 && (
          <DataTable label="Teams" columns={COLUMNS}>
            {rows.map((team) => (
              <TeamRow key={team.id} team={team} onManage={() => setOpen(team.id)} />
            ))}
          </DataTable>
        )}
      </Card>
      {teams.hasNextPage && (
        <div>
          <Button busy={teams.isFetchingNextPage} onClick={() => void teams.fetchNextPage()}>
            More teams
          </Button>
        </div>
      )}
      <StorageCard />
      {managed && <TeamDialog key={managed.id} team={managed} onClose={() => setOpen(null)} />}
    </AdministrationPage>
  );
}

function TeamRow({ team, onManage }: { team: TeamEntry; onManage: () => void }) {
  return (
    <tr>
      <th scope="row">
        {team.name}
        {team.administrators === 0 && (
          <div>
            <State label={{ glyph: "⚠", word: "no administrator yet", tone: "warn" }} />
          </div>
        )}
      </th>
      <td data-label="Members" className={table.num}>{formatNumber(team.members)}</td>
      <td data-label="Experiments" className={table.num}>{formatNumber(team.experiments)}</td>
      <td data-label="Runs" className={table.num}>{formatNumber(team.runs)}</td>
      <td data-label="Since">{formatTime(team.created_at)}</td>
      <td>
        <Button onClick={onManage} aria-label={`Manage the team ${team.name}`}>Manage</Button>
      </td>
    </tr>
  );
}
