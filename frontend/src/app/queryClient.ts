import { QueryClient } from "@tanstack/react-query";
import { isWorthRetrying } from "@/api/errors";
import { connection, onConnectionChange } from "@/api/connection";

const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: (failures, error) => failures < RETRIES && isWorthRetrying(error), networkMode: "always", refetchOnWindowFocus: true }, mutations: { networkMode: "always" } },
});

onConnectionChange(() => {
  if (connection() === "online") void queryClient.invalidateQueries();
});
