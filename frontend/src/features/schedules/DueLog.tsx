import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listScheduleTimes } from "@/api/generated";
import { SCHEDULES } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { State } from "@/components/State";
import { QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { localized } from "@/messages/labels";
import { dueReason, dueState, timeIn } from "./texts";

const t = messages("schedules");

/** The times of a schedule that were due, newest first: what was started, or why not. */
export function DueLog({ scheduleId, zone }: { scheduleId: string; zone: string }) {
  const log = useInfiniteQuery({
    queryKey: [...SCHEDULES, scheduleId, "times"],
    queryFn: ({ pageParam }) => listScheduleTimes({ path: { schedule_id: scheduleId }, query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    select: localized,
  });
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Card title={t("log")} note={t("logNote")} flush={rows.length > 0}>
      <QueryStatus query={log} label={t("loadingOne")} />
      {log.data && rows.length === 0 && <p>{t("logEmpty")}</p>}
      {rows.length > 0 && (
        <DataTable label={t("log")} columns={[[t("due")], [t("outcome")]]}>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{timeIn(row.due_at, zone)}</th>
              <td data-label={t("outcome")}>
                <State label={dueState(row)} /> {dueReason(row)}{" "}
                {row.run_id !== null && <Link to={`/runs/${row.run_id}`}>{t("run")}</Link>}
                {row.group_id !== null && <Link to={`/run-groups/${row.group_id}`}>{t("group")}</Link>}
                {row.waits_until !== null && <span> · {t("waitsUntil", { time: timeIn(row.waits_until, zone) })}</span>}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {log.hasNextPage && <Button kind="ghost" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>{t("older")}</Button>}
    </Card>
  );
}
