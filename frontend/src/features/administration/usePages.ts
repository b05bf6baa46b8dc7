import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listAccounts, listTeams } from "@/api/generated";
import { queries } from "@/api/queries";

export const TEAMS = ["administration", "teams"] as const;
export const ACCOUNTS = ["administration", "accounts"] as const;

/** Whether the account administers the installation; false until the session was read: for others the requests would be refused. */
export function useAdministers(): boolean {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  return data?.account.installation_admin === true;
}

/** The teams whose name contains a text, page by page. */
export function useTeams(text: string) {
  return useInfiniteQuery({
    queryKey: [...TEAMS, text],
    queryFn: ({ pageParam }) => listTeams({ query: { ...(text && { text }), ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: useAdministers(),
  });
}

/** The accounts whose name or address contains a text, page by page. */
export function useAccounts(text: string) {
  return useInfiniteQuery({
    queryKey: [...ACCOUNTS, text],
    queryFn: ({ pageParam }) => listAccounts({ query: { ...(text && { text }), ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: useAdministers(),
  });
}
