import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LibraryRun } from "@/api/generated";
import { queries } from "@/api/queries";
import { messages } from "@/messages";
import { useDebounced } from "./useDebounced";

const t = messages("common");
const PAUSE_MS = 150;
/** The server refuses longer searches. */
const LONGEST = 500;

export interface FoundRuns {
  /** The newest runs that match. */
  runs: readonly LibraryRun[];
  loading: boolean;
  failed: boolean;
  /** What a person should know about the answer: more runs match, or a term was not understood. */
  note: string | null;
  /** Asks again after a failure. */
  retry: () => void;
}

/** Searches the library on the server, in its grammar, while somebody types; `within` are terms that hold besides, null searches nothing. */
export function useRunSearch(text: string, limit: number, within: string | null = ""): FoundRuns {
  // These terms come first: an open quotation mark in what is typed must not include them.
  const wanted = `${within ?? ""} ${text.trim()}`.trim().slice(0, LONGEST);
  const [query] = useDebounced(wanted, PAUSE_MS);
  const { data, isPending, isPlaceholderData, isError, refetch } = useQuery({ ...queries.foundRuns(query, limit), enabled: within !== null, placeholderData: keepPreviousData });
  const retry = () => void refetch();
  if (within === null) return { runs: [], loading: false, failed: false, note: null, retry };
  const loading = isPending || isPlaceholderData || query !== wanted;
  const runs = data?.data ?? [];
  return {
    // Enter must not choose a run that was found for an earlier text.
    runs: loading ? runs.filter((run) => hasWords(run, text)) : runs,
    loading,
    failed: isError && data === undefined && !loading,
    note: data && !loading ? noteOf(data) : null,
    retry,
  };
}

function noteOf({ data, next_cursor, total, problems }: { data: readonly LibraryRun[]; next_cursor: string | null; total: number | null; problems: readonly { term: string }[] }): string | null {
  if (problems.length > 0) return t("termsLeftOut", { terms: problems.map(({ term }) => term).join(" ") });
  return next_cursor === null ? null : t("newestFound", { count: data.length, total: (total ?? 0) >= 1000 ? "1,000+" : String(total) });
}

/** Whether a run has all words of a text. */
function hasWords({ id, title, name, host, author, tags }: LibraryRun, text: string): boolean {
  const texts = [id, title, name, host, author, ...tags].join("\n").toLowerCase();
  return text.toLowerCase().trim().split(/\s+/).every((word) => texts.includes(word));
}
