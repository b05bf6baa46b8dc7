import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { postExperiment } from "@/api/postExperiment";
import { postRun } from "@/api/postRun";
import type { ExperimentDocument } from "@/api/types";
import { useRequestKey } from "@/components/useRequestKey";

interface Start {
  document: ExperimentDocument;
  host: string | undefined;
}

/** Stores the document, queues its run and opens the run's page; a repeated try makes no second run. */
export function useStart() {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async ({ document, host }: Start) => {
      const key = keyOf([document, host]);
      const experiment = await postExperiment(document);
      return postRun(experiment.id, host, key);
    },
    onSuccess: (run) => navigate(`/runs/${run.id}`),
  });
}
