import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/client";
import { connection, onConnectionChange } from "@/api/connection";

/** The server's refusals are final; only its absence is worth asking again. What ran out of time is asked again by hand: it would keep a busy server busy. */
function again(count: number, error: Error): boolean {
  const absent = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
  const late = error instanceof ApiError && error.code === "timeout";
  return absent && !late && count < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: again, networkMode: "always", refetchOnWindowFocus: true }, mutations: { networkMode: "always" } },
});

onConnectionChange(() => {
  if (connection() === "online") void queryClient.invalidateQueries();
});
