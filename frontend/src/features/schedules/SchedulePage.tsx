import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { deleteSchedule, updateSchedule, type Schedule, type ScheduleChange } from "@/api/generated";
import { queries, SCHEDULES } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Dialog } from "@/components/Dialog";
import { PageHead } from "@/components/PageHead";
import { Failure, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { DueLog } from "./DueLog";
import { ScheduleForm } from "./ScheduleForm";
import styles from "./schedules.module.css";
import { hostsOf, ownZone, timeIn } from "./texts";

const t = messages("schedules");

/** One schedule: its next times, what became of the earlier ones, and its changes. */
export function SchedulePage() {
  const { scheduleId = "" } = useParams();
  const schedule = useQuery(queries.schedule(scheduleId));
  const title = schedule.data?.title ?? t("title");
  useTitle(title);
  return (
    <>
      <PageHead
        crumbs={[{ label: t("home"), to: "/" }, { label: t("title"), to: "/schedules" }, { label: title }]}
        title={title}
        meta={
          schedule.data && (
            <>
              <span><code>{schedule.data.cron}</code> {schedule.data.time_zone}</span>
              <span>{hostsOf(schedule.data)}</span>
              <Link to={`/experiments/${schedule.data.experiment_id}/history`}>{t("history")}</Link>
            </>
          )
        }
      />
      <QueryStatus query={schedule} label={t("loadingOne")} />
      {schedule.data && <View schedule={schedule.data} />}
    </>
  );
}

function View({ schedule }: { schedule: Schedule }) {
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const mayWrite = useMay("write");
  const cache = useQueryClient();
  const navigate = useNavigate();
  const change = useMutation({
    mutationFn: (body: ScheduleChange) => updateSchedule({ path: { schedule_id: schedule.id }, body }),
    onSuccess: async () => {
      setEditing(false);
      await cache.invalidateQueries({ queryKey: SCHEDULES });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteSchedule({ path: { schedule_id: schedule.id } }),
    onSuccess: async () => {
      await navigate("/schedules");
      await cache.invalidateQueries({ queryKey: SCHEDULES });
    },
  });
  return (
    <>
      <Card
        title={t("nextTimes")}
        note={t("nextTimesNote", { zone: ownZone() })}
        flush={schedule.enabled}
        actions={
          mayWrite && (
            <div className={styles.actions} role="group" aria-label={t("actions")}>
              <Button busy={change.isPending && !editing} onClick={() => change.mutate({ enabled: !schedule.enabled })}>{schedule.enabled ? t("pause") : t("resume")}</Button>
              <Button onClick={() => setEditing(true)}>{t("edit")}</Button>
              <Button onClick={() => setDeleting(true)}>{t("delete")}</Button>
            </div>
          )
        }
      >
        {schedule.enabled ? (
          <DataTable label={t("nextTimes")} columns={[[t("inZone", { zone: schedule.time_zone })], [t("here")]]}>
            {schedule.next_times.map((time) => (
              <tr key={time}>
                <th scope="row">{timeIn(time, schedule.time_zone)}</th>
                <td data-label={t("here")}>{timeIn(time, ownZone())}</td>
              </tr>
            ))}
          </DataTable>
        ) : (
          <p>{t("pausedText")}</p>
        )}
      </Card>
      {change.isError && !editing && <Failure error={change.error} />}
      {editing && (
        <Card title={t("edit")}>
          <ScheduleForm initial={schedule} busy={change.isPending} error={change.error} onSubmit={(fields) => change.mutate(fields)} onCancel={() => setEditing(false)} />
        </Card>
      )}
      <p className={styles.quiet}>{schedule.account === null ? t("rightsOfNobody") : t("rights", { account: schedule.account })}</p>
      <DueLog scheduleId={schedule.id} zone={schedule.time_zone} />
      <Dialog
        title={t("deleteTitle")}
        open={deleting}
        onClose={() => setDeleting(false)}
        actions={
          <>
            <Button kind="ghost" onClick={() => setDeleting(false)}>{t("cancel")}</Button>
            <Button busy={remove.isPending} onClick={() => remove.mutate()}>{t("delete")}</Button>
          </>
        }
      >
        <p>{t("deleteText")}</p>
        {remove.isError && <Failure error={remove.error} />}
      </Dialog>
    </>
  );
}
