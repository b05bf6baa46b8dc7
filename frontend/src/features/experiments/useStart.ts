import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { postExperiment } from "@/api/postExperiment";
import { postRun } from "@/api/postRun";
import type { ExperimentDocument } from "@/api/types";

interface Start {
  document: ExperimentDocument;
  host: string | undefined;
}

/** Stores the document, queues its run and opens the run's page; a repeated try makes no second run. */
export function useStart() {
  const navigate = useNavigate();
  const tried = useRef({ what: "", key: "" });
  return useMutation({
    mutationFn: async ({ document, host }: Start) => {
      const what = JSON.stringify([document, host]);
      if (tried.current.what !== what) tried.current = { what, key: crypto.randomUUID() };
      const experiment = await postExperiment(document);
      return postRun(experiment.id, host, tried.current.key);
    },
    onSuccess: (run) => navigate(`/runs/${run.id}`),
  });
}
