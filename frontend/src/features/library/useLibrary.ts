import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/errors";
import { changeLibraryRuns, createLibraryView, deleteLibraryView, listLibraryTerms, listLibraryViews, searchLibrary, type RunChanges } from "@/api/generated";
import { RUNS } from "@/api/queries";
import { useAddress } from "@/components/useAddress";
import { lastTerm } from "./completion";
import { searchQuery } from "./searchRequest";

/** The least time between two searches while somebody types. */
const TYPING_MS = 120;
/** Completions are requested after such a pause. */
const PAUSE_MS = 150;
/** After the last one the address follows. Browsers allow few changes of it in a time. */
const ADDRESS_MS = 300;
const VIEWS = ["library-views"];

/** The search: what is typed takes effect at once, but not more often than every TYPING_MS, and is in the address shortly afterwards; a choice always at once. */
export function useSearch(): { typed: string; query: string; type: (text: string) => void; apply: (text: string) => void } {
  const [address, set] = useAddress();
  const addressed = address.get("q") ?? "";
  const [typed, setTyped] = useState(addressed);
  const [query, setQuery] = useState(addressed);
  const [seen, setSeen] = useState(addressed);
  const [sent, setSent] = useState<readonly string[]>([]);
  const searchedAt = useRef(-Infinity);
  if (seen !== addressed) {
    setSeen(addressed);
    // What was typed meanwhile is kept where the address follows; a link or the browser's buttons replace it.
    const own = sent.indexOf(addressed);
    if (own < 0) {
      setTyped(addressed);
      setQuery(addressed);
    } else setSent(sent.slice(own + 1));
  }
  const search = (text: string) => {
    searchedAt.current = performance.now();
    setQuery(text.trim());
  };
  const send = (text: string) => {
    setSent([...sent, text]);
    set({ q: text || null });
  };
  const type = (text: string) => {
    setTyped(text);
    if (performance.now() - searchedAt.current >= TYPING_MS) search(text);
  };
  const apply = (text: string) => {
    setTyped(text);
    search(text);
    if (text.trim() !== addressed) send(text.trim());
  };
  useEffect(() => {
    if (typed.trim() === query) return;
    const timer = setTimeout(() => search(typed), Math.max(0, searchedAt.current + TYPING_MS - performance.now()));
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    if (query === (sent.at(-1) ?? addressed)) return;
    const timer = setTimeout(() => send(query), ADDRESS_MS);
    return () => clearTimeout(timer);
  });
  return { typed, query, type, apply };
}

/** The runs that match, newest first, page by page; the previous ones stay until the next answer. */
export function useMatches(query: string) {
  return useInfiniteQuery({
    queryKey: [...RUNS, "library", query],
    queryFn: ({ pageParam, signal }) => searchLibrary({ query: { ...searchQuery(query), ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** The terms that complete the one that is being typed. They are requested after a short pause, so that the server answers the search first; known ones narrow at once. */
export function useTerms(typed: string): string[] {
  const part = lastTerm(typed).part.replaceAll('"', "").slice(0, 100);
  const [settled, setSettled] = useState(part);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(part), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [part]);
  const { data = [] } = useQuery({
    queryKey: ["library-terms", settled],
    queryFn: async ({ signal }) => (await listLibraryTerms({ query: { part: settled, limit: 12 }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const wanted = part.toLowerCase().replace(/^-/, "");
  return data.map(({ term }) => term).filter((term) => term.includes(wanted));
}

/** Changes several runs at once. */
export function useChanges() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: RunChanges) => changeLibraryRuns({ body: changes }),
    onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: RUNS }), client.invalidateQueries({ queryKey: ["stars"] })]),
    // Somebody else deleted one of the runs: the list must not offer it again.
    onError: (error) => (error instanceof ApiError && error.status === 404 ? client.invalidateQueries({ queryKey: RUNS }) : undefined),
  });
}

/** The saved searches of the account and its team, and what changes them. */
export function useViews() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: VIEWS });
  return {
    views: useQuery({ queryKey: VIEWS, queryFn: async () => (await listLibraryViews()).data }),
    save: useMutation({ mutationFn: (view: { name: string; query: string; shared: boolean }) => createLibraryView({ body: view }), onSuccess }),
    remove: useMutation({ mutationFn: (id: string) => deleteLibraryView({ path: { view_id: id } }), onSuccess }),
  };
}
