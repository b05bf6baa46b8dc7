import { ApiError, request } from "./client";
import type { Equivalence } from "./types";

/** How far the lab equals the host's own engine; null while no finished run has measured both. */
export async function getEquivalence(host: string): Promise<Equivalence | null> {
  return request<Equivalence>(`/hosts/${encodeURIComponent(host)}/equivalence`).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}
