import { useQuery } from "@tanstack/react-query";
import { postPlan } from "@/api/postPlan";
import { keys } from "@/api/queryKeys";
import type { Preset } from "@/api/types";

/** How many cells a preset has and how long it takes, by its plan; of the plan only these figures are kept. */
export function usePresetSize(preset: Preset) {
  return useQuery({
    queryKey: keys.size(preset.name),
    queryFn: async ({ signal }) => {
      const { plan } = await postPlan(preset.definition, undefined, signal);
      return { cells: plan.cells.filter((cell) => !cell.is_duplicate && !cell.infeasible).length, seconds: plan.estimate.seconds };
    },
    staleTime: Infinity,
  });
}
