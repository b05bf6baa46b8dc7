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
import { messages } from "@/messages";
import { AdministrationPage } from "./AdministrationPage";
import { NewTeam } from "./NewTeam";
import { StorageCard } from "./StorageCard";
import { TeamDialog } from "./TeamDialog";
import { useTeams } from "./usePages";

const t = messages("administration");

const columns = () => [[t("team")], [t("members"), "num"], [t("experiments"), "num"], [t("runs"), "num"], [t("since")], [<span key="manage" className="visually-hidden">{t("manage")}</span>]] as const;

/** The teams of the installation. */
export function TeamsPage() {
  useTitle(t("administration"));
  const [text, setText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const teams = useTeams(text.trim());
  const rows = teams.data?.pages.flatMap(({ data }) => data) ?? [];
  const managed = rows.find(({ id }) => id === open);
  return (
    <AdministrationPage page="teams" meta={t("teamsMeta")}>
      <NewTeam />
      <Card title={t("teams")} flush={rows.length > 0} actions={<Field label={t("searchField")} errors={[]}>{(ids) => <input {...ids} type="search" maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />}</Field>}>
        <QueryStatus query={teams} label={t("loadingTeams")} />
        {teams.data && rows.length === 0 && <Empty title={t("noTeam")} />}
        {rows.length > 0 && (
          <DataTable label={t("teams")} columns={columns()}>
            {rows.map((team) => (
              <TeamRow key={team.id} team={team} onManage={() => setOpen(team.id)} />
            ))}
          </DataTable>
        )}
      </Card>
      {teams.hasNextPage && (
        <div>
          <Button busy={teams.isFetchingNextPage} onClick={() => void teams.fetchNextPage()}>
            {t("moreTeams")}
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
            <State label={{ glyph: "⚠", word: t("noAdministrator"), tone: "warn" }} />
          </div>
        )}
      </th>
      <td data-label={t("members")} className={table.num}>{formatNumber(team.members)}</td>
      <td data-label={t("experiments")} className={table.num}>{formatNumber(team.experiments)}</td>
      <td data-label={t("runs")} className={table.num}>{formatNumber(team.runs)}</td>
      <td data-label={t("since")}>{formatTime(team.created_at)}</td>
      <td>
        <Button onClick={onManage} aria-label={t("manageTeam", { name: team.name })}>{t("manage")}</Button>
      </td>
    </tr>
  );
}
