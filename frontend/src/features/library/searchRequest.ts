/** The request for what a search finds, as the page and scripts send it. Pure. */

/** The number of runs in one answer. */
export const PAGE = 50;

/** Returns the query parameters of the first runs that match. */
export function searchQuery(query: string): { q: string; limit: number } {
  return { q: query, limit: PAGE };
}

/** Returns the request for the first runs that match, for scripts. */
export function searchRequest(query: string) {
  const { q, limit } = searchQuery(query);
  const sent = new URLSearchParams({ q, limit: String(limit) });
  return { method: "GET", path: `/api/v1/library?${sent}` } as const;
}
