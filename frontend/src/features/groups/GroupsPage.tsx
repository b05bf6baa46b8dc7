import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listRunGroups } from "@/api/generated";
import { GROUPS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { StateBadge } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";

const t = messages("groups");

/** The list of groups of runs, newest first. */
export function GroupsPage() {
  useTitle(t("title"));
  const groups = useInfiniteQuery({
    queryKey: GROUPS,
    queryFn: ({ pageParam }) => listRunGroups({ query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const all = groups.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("severalHosts") }]} title={t("title")} meta={t("meta")} />
      <Card flush={all.length > 0}>
        <QueryStatus query={groups} label={t("loadingGroups")} />
        {groups.data && all.length === 0 && <Empty level={2} title={t("none")}><p>{t("noneText")}</p></Empty>}
        {all.length > 0 && (
          <DataTable label={t("groupsTable")} columns={[[t("experiment")], [t("hosts")], [t("state")], [t("started")]]}>
            {all.map((group) => (
              <tr key={group.id}>
                <th scope="row"><Link to={`/run-groups/${group.id}`}>{group.title}</Link></th>
                <td data-label={t("hostsLabel")}>{group.members.map(({ host }) => host).join(", ")}</td>
                <td data-label={t("stateLabel")}><StateBadge label={RUN_STATES[group.state]} /></td>
                <td data-label={t("startedLabel")}>{formatTime(group.created_at)}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </Card>
      {groups.hasNextPage && <Button kind="ghost" busy={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>{t("older")}</Button>}
    </>
  );
}
