import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { createSchedule, type ScheduleStart } from "@/api/generated";
import { queries, SCHEDULES } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { PageHead } from "@/components/PageHead";
import { Select } from "@/components/Select";
import { State } from "@/components/State";
import { Empty, QueryStatus } from "@/components/Status";
import { useAddress } from "@/components/useAddress";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { ScheduleForm } from "./ScheduleForm";
import { dueState, hostsOf, timeIn } from "./texts";

const t = messages("schedules");

/** The schedules of the team, or of the experiment in the address; the form for a new one. */
export function SchedulesPage() {
  useTitle(t("title"));
  const [query, change] = useAddress();
  const experiment = query.get("experiment");
  const schedules = useQuery(queries.schedules(experiment));
  const mayWrite = useMay("write");
  const all = schedules.data ?? [];
  const adding = query.has("new");
  return (
    <>
      <PageHead
        crumbs={[{ label: t("home"), to: "/" }, { label: t("title"), ...(experiment !== null && { to: "/schedules" }) }]}
        title={t("title")}
        meta={t("meta")}
        actions={mayWrite && !adding && <Button onClick={() => change({ new: "" })}>{t("new")}</Button>}
      />
      {adding && mayWrite && <NewSchedule experimentId={experiment} onCancel={() => change({ new: null })} />}
      <Card flush={all.length > 0}>
        <QueryStatus query={schedules} label={t("loading")} />
        {schedules.data?.length === 0 && <Empty level={2} title={t("empty")}><p>{t("emptyText")}</p></Empty>}
        {all.length > 0 && (
          <DataTable label={t("title")} columns={[[t("experiment")], [t("times")], [t("hosts")], [t("next")], [t("last")]]}>
            {all.map((one) => (
              <tr key={one.id}>
                <th scope="row"><Link to={`/schedules/${one.id}`}>{one.title}</Link></th>
                <td data-label={t("times")}><code>{one.cron}</code> {one.time_zone}</td>
                <td data-label={t("hosts")}>{hostsOf(one)}</td>
                <td data-label={t("next")}>{one.next_times[0] ? timeIn(one.next_times[0], one.time_zone) : t("paused")}</td>
                <td data-label={t("last")}>{one.last ? <State label={dueState(one.last)} /> : t("neverDue")}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </Card>
    </>
  );
}

function NewSchedule({ experimentId, onCancel }: { experimentId: string | null; onCancel: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const experiments = useQuery(queries.newestExperiments());
  const [chosen, setChosen] = useState(experimentId);
  // Imported logs were measured elsewhere, without this installation: there is nothing to repeat.
  const found = experiments.data?.filter(({ imported }) => !imported) ?? [];
  const id = chosen ?? found[0]?.id;
  const create = useMutation({
    mutationFn: (body: ScheduleStart) => createSchedule({ path: { experiment_id: id ?? "" }, body }),
    onSuccess: async (made) => {
      await cache.invalidateQueries({ queryKey: SCHEDULES });
      await navigate(`/schedules/${made.id}`);
    },
  });
  return (
    <Card title={t("new")} actions={experimentId === null && found.length > 0 && <Select label={t("chooseExperiment")} options={found.map(({ id: value, title }) => ({ value, label: title }))} value={id ?? ""} onChange={setChosen} />}>
      {experimentId === null && <QueryStatus query={experiments} label={t("loading")} />}
      {experiments.data && found.length === 0 && experimentId === null ? <p>{t("noExperiment")}</p> : <ScheduleForm initial={null} busy={create.isPending} error={create.error} onSubmit={(body) => create.mutate(body)} onCancel={onCancel} />}
    </Card>
  );
}
