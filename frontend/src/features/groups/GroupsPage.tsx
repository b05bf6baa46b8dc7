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

const TITLE = "Experiments on several hosts";

/** The list of groups of runs, newest first. */
export function GroupsPage() {
  useTitle(TITLE);
  const groups = useInfiniteQuery({
    queryKey: GROUPS,
    queryFn: ({ pageParam }) => listRunGroups({ query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const all = groups.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Several hosts" }]} title={TITLE} meta="One run a host, with each cell’s ratio to its own host’s baseline side by side" />
      <Card flush={all.length > 0}>
        <QueryStatus query={groups} label="Loading the groups of runs" />
        {groups.data && all.length === 0 && <Empty title="None yet"><p>Choose several hosts, or a label, when you start an experiment.</p></Empty>}
        {all.length > 0 && (
          <DataTable label="Groups of runs" columns={[["Experiment"], ["Hosts"], ["State"], ["Started"]]}>
            {all.map((group) => (
              <tr key={group.id}>
                <th scope="row"><Link to={`/run-groups/${group.id}`}>{group.title}</Link></th>
                <td data-label="hosts">{group.members.map(({ host }) => host).join(", ")}</td>
                <td data-label="state"><StateBadge label={RUN_STATES[group.state]} /></td>
                <td data-label="started">{formatTime(group.created_at)}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </Card>
      {groups.hasNextPage && <Button kind="ghost" busy={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>Older ones</Button>}
    </>
  );
}
