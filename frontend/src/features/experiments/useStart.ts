import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { createExperiment, startRun } from "@/api/generated";
import { bodyOf, type ExperimentDraft } from "@/api/draft";
import { useRequestKey } from "@/components/useRequestKey";

interface Start {
  document: ExperimentDraft;
  host: string | undefined;
}

/** The mutation that stores the document, queues its run and opens the run's page. A repeated request makes no second run. */
export function useStart() {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async ({ document, host }: Start) => {
      const key = keyOf([document, host]);
      const { id } = await createExperiment({ body: bodyOf(document) });
      return startRun({ path: { experiment_id: id }, body: host ? { host } : {}, headers: { "idempotency-key": key } });
    },
    onSuccess: (run) => navigate(`/runs/${run.id}`),
  });
}
