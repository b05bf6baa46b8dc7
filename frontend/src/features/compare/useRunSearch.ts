import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/generated";
import { queries } from "@/api/queries";

const LISTED = 100;

/** Returns the newest runs whose title, name, host or id contains a text. */
export function useRunSearch(text: string): { runs: readonly Run[]; loading: boolean; failed: boolean } {
  const { data, isPending, isError } = useQuery(queries.newestRuns(LISTED));
  const wanted = text.trim().toLowerCase();
  const runs = data?.data.filter((run) => [run.title, run.name, run.host, run.id].some((each) => each.toLowerCase().includes(wanted))) ?? [];
  return { runs, loading: isPending, failed: isError && data === undefined };
}
