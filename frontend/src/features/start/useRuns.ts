import { useInfiniteQuery } from "@tanstack/react-query";
import { getRuns } from "@/api/getRuns";
import { keys } from "@/api/queryKeys";

const PAGE = 12;
const REFRESH_MS = 4000;

/** The runs, newest first, page by page; asked for anew every few seconds. */
export function useRuns() {
  return useInfiniteQuery({
    queryKey: keys.runs,
    queryFn: ({ pageParam }) => getRuns(PAGE, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
}
