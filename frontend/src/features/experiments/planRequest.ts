/** The request that starts the plan of the page, for scripts. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { Json } from "@/components/requestCode";
import type { ChosenHosts } from "./useChosenHosts";

/** Returns the request that stores a document and starts a run of it on the chosen host. */
export function planRequest(document: ExperimentDraft, { host, clientHost }: Pick<ChosenHosts, "host" | "clientHost">) {
  const query = new URLSearchParams({
    ...(host !== undefined && { host }),
    ...(host !== undefined && clientHost !== undefined && { client_host: clientHost }),
  });
  const path = `/api/v1/runs${query.size > 0 ? `?${query}` : ""}`;
  return { method: "POST", path, body: document as unknown as Json } as const;
}
