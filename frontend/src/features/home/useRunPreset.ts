import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { bodyOf, draftOf } from "@/api/draft";
import { createExperiment, startRun, type Preset } from "@/api/generated";
import { RUNS } from "@/api/queries";
import { useRequestKey } from "@/components/useRequestKey";

/** The mutation that starts a preset on a host and opens its run; repeated, it starts none. */
export function useRunPreset(preset: Preset, host: string | null) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async () => {
      const { id } = await createExperiment({ body: bodyOf(draftOf(preset.definition)) });
      const headers = { "idempotency-key": keyOf([preset.name, host]) };
      const body = host === null ? {} : { host };
      return startRun({ path: { experiment_id: id }, body, headers });
    },
    onSuccess: (run) => {
      void client.invalidateQueries({ queryKey: RUNS });
      return navigate(`/runs/${run.id}`);
    },
  });
}
