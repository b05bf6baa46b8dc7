import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { changeLibraryRuns, createLibraryView, deleteLibraryView, listLibraryTerms, listLibraryViews, searchLibrary, type RunChanges } from "@/api/generated";
import { RUNS } from "@/api/queries";
import { useAddress } from "@/components/useAddress";
import { lastTerm } from "./completion";

const PAGE = 50;
const TYPING_MS = 120;
const VIEWS = ["library-views"];

/** The search in the address: what is typed takes effect shortly afterwards, a choice at once. */
export function useSearch(): { typed: string; query: string; type: (text: string) => void; apply: (text: string) => void } {
  const [address, set] = useAddress();
  const query = address.get("q") ?? "";
  const [typed, type] = useState(query);
  const [seen, setSeen] = useState(query);
  const [sent, setSent] = useState<readonly string[]>([]);
  if (seen !== query) {
    setSeen(query);
    // What was typed meanwhile is kept where the address follows; a link or the browser's buttons replace it.
    const own = sent.indexOf(query);
    if (own < 0) type(query);
    else setSent(sent.slice(own + 1));
  }
  const send = (text: string) => {
    setSent([...sent, text]);
    set({ q: text || null });
  };
  const apply = (text: string) => {
    type(text);
    if (text.trim() !== query) send(text.trim());
  };
  useEffect(() => {
    if (typed.trim() === (sent.at(-1) ?? query)) return;
    const timer = setTimeout(() => send(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return { typed, query, type, apply };
}

/** The runs that match, newest first, page by page; the previous ones stay until the next answer. */
export function useMatches(query: string) {
  return useInfiniteQuery({
    queryKey: [...RUNS, "library", query],
    queryFn: ({ pageParam, signal }) => searchLibrary({ query: { q: query, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** The terms that complete the one that is being typed. */
export function useTerms(typed: string) {
  const part = lastTerm(typed).part.replaceAll('"', "").slice(0, 100);
  return useQuery({
    queryKey: ["library-terms", part],
    queryFn: async ({ signal }) => (await listLibraryTerms({ query: { part, limit: 12 }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** Changes several runs at once. */
export function useChanges() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: RunChanges) => changeLibraryRuns({ body: changes }),
    onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: RUNS }), client.invalidateQueries({ queryKey: ["stars"] })]),
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
