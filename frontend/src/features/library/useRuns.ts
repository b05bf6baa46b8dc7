import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { listRuns } from "@/api/generated";
import { queries, RUNS, type RunFilter } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { hasGap, mergeRuns } from "./mergeRuns";

const PAGE = 12;
const ACTIVE_MS = 4000;
const IDLE_MS = 20_000;

/** The query of the runs that match, newest first, page by page. Only the newest page and older active runs are requested again. */
export function useRuns(filter: RunFilter = {}) {
  const pages = useInfiniteQuery({
    queryKey: [...RUNS, "pages", filter],
    queryFn: ({ pageParam }) => listRuns({ query: { limit: PAGE, ...filter, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const newest = useQuery({
    ...queries.newestRuns(PAGE, filter),
    enabled: pages.data !== undefined,
    initialData: pages.data?.pages[0],
    initialDataUpdatedAt: pages.dataUpdatedAt,
    refetchInterval: (query) => (query.state.data?.data.some(({ state }) => !isTerminal(state)) ? ACTIVE_MS : IDLE_MS),
  });
  const listed = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const first = newest.data?.data ?? [];
  const followed = useQueries({
    queries: listed
      .filter((run) => !isTerminal(run.state) && !first.some(({ id }) => id === run.id))
      .map((run) => ({
        ...queries.run(run.id),
        initialData: run,
        initialDataUpdatedAt: pages.dataUpdatedAt,
        refetchInterval: (query: { state: { data?: typeof run } }) => (query.state.data && isTerminal(query.state.data.state) ? (false as const) : ACTIVE_MS),
      })),
  });
  const gap = pages.data !== undefined && !pages.isFetching && hasGap(listed, first, newest.data?.next_cursor ?? null);
  const { refetch } = pages;
  useEffect(() => {
    if (gap) void refetch();
  }, [gap, refetch]);
  const current = followed.flatMap(({ data }) => data ?? []);
  return { ...pages, runs: pages.data && mergeRuns(listed, first, current) };
}
