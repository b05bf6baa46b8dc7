import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { createExperiment, startRun, startRunGroup } from "@/api/generated";
import { ApiError } from "@/api/errors";
import { bodyOf, type ExperimentDraft } from "@/api/draft";
import { useRequestKey } from "@/components/useRequestKey";
import type { HostSet } from "./hostSet";

interface Start {
  document: ExperimentDraft;
  host: string | undefined;
  /** Several hosts in place of the one. */
  several: HostSet | null;
  /** The other host that runs the clients of remote paths. */
  clientHost: string | undefined;
  /** The digest of the plan that the page shows: another plan is not started. */
  planDigest: string;
}

/** Whether nothing started because the plan is another one than the page showed. */
export function isPlanChanged(error: Error): boolean {
  return error instanceof ApiError && error.code === "plan_changed";
}

/** The mutation that stores the document, queues its run, or one on each of several hosts, and opens its page. A repeated request makes no second one. */
export function useStart(onStarted: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async ({ document, host, several, clientHost, planDigest }: Start) => {
      const headers = { "idempotency-key": keyOf([document, several ?? host, clientHost]) };
      const path = { experiment_id: (await createExperiment({ body: bodyOf(document) })).id };
      const onClient = clientHost === undefined ? {} : { client_host: clientHost };
      if (several === null) return `/runs/${(await startRun({ path, body: { ...(host && { host }), ...onClient, ...(planDigest && { plan_digest: planDigest }) }, headers })).id}`;
      const chosen = several.label === undefined ? { hosts: [...(several.names ?? [])] } : { host_label: several.label };
      const body = { ...chosen, ...onClient };
      return `/run-groups/${(await startRunGroup({ path, body, headers })).id}`;
    },
    // The page shows the plan that it would be now: the user decides again.
    onError: (error) => void (isPlanChanged(error) && client.invalidateQueries({ queryKey: ["plan"] })),
    onSuccess: (address) => {
      onStarted();
      return navigate(address);
    },
  });
}
