import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { extendRun, getMatrix, previewExtension } from "@/api/generated";
import { RUNS } from "@/api/queries";
import { useRequestKey } from "@/components/useRequestKey";
import { lostCells } from "./lostCells";

/** Fewer rounds have no interval. */
const LEAST_ROUNDS = 6;

/** The mutation that measures the cells that lost a trial again, in rounds that decide them. */
export function useMeasureLost(runId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async () => {
      const path = { run_id: runId };
      const cells = lostCells((await getMatrix({ path })).cells);
      const planned = await previewExtension({ path, body: { cells, rounds: LEAST_ROUNDS } });
      const body = { cells, rounds: Math.max(LEAST_ROUNDS, planned.rounds_needed) };
      const headers = { "Idempotency-Key": keyOf([runId, cells]) };
      return extendRun({ path, body, headers });
    },
    onSuccess: (run) => {
      void client.invalidateQueries({ queryKey: RUNS });
      return navigate(`/runs/${run.id}`);
    },
  });
}
