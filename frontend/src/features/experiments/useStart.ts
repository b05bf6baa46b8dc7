import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { createExperiment, startRun, startRunGroup } from "@/api/generated";
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

/** The mutation that stores the document, queues its run, or one on each of several hosts, and opens its page. A repeated request makes no second one. */
export function useStart(onStarted: () => void) {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async ({ document, host, several, clientHost, planDigest }: Start) => {
      const headers = { "idempotency-key": keyOf([document, several ?? host, clientHost]) };
      const path = { experiment_id: (await createExperiment({ body: bodyOf(document) })).id };
      const client = clientHost === undefined ? {} : { client_host: clientHost };
      if (several === null) return `/runs/${(await startRun({ path, body: { ...(host && { host }), ...client, ...(planDigest && { plan_digest: planDigest }) }, headers })).id}`;
      const chosen = several.label === undefined ? { hosts: [...(several.names ?? [])] } : { host_label: several.label };
      const body = { ...chosen, ...client };
      return `/run-groups/${(await startRunGroup({ path, body, headers })).id}`;
    },
    onSuccess: (address) => {
      onStarted();
      return navigate(address);
    },
  });
}
