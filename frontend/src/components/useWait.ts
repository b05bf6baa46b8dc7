import { ApiError } from "@/api/errors";
import { useNow } from "./useNow";

/** Returns the whole seconds until a refused request may be repeated, counted down; 0 if it may be now. */
export function useWait(error: unknown): number {
  const now = useNow(1000);
  if (!(error instanceof ApiError) || error.retryAt === null) return 0;
  return Math.max(0, Math.ceil((error.retryAt - now) / 1000));
}
