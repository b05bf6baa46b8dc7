import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { starRun, unstarRun, type Stars } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { messages } from "@/messages";
import styles from "./StarButton.module.css";

const t = messages("common");

/** A button that stars a run for the own account, or removes its star; nothing before the stars are known. */
export function StarButton({ runId, title }: { runId: string; title: string }) {
  const client = useQueryClient();
  const stars = useQuery(queries.stars());
  const { queryKey } = queries.stars();
  const isStarred = stars.data?.runs?.includes(runId) ?? false;
  const set = useMutation({
    mutationFn: (wanted: boolean) => (wanted ? starRun : unstarRun)({ path: { run_id: runId } }),
    onMutate: async (wanted) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (known: Stars | undefined) => known && { ...known, runs: [...(wanted ? [runId] : []), ...known.runs.filter((id) => id !== runId)] });
    },
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey: RUNS })]),
  });
  if (!stars.data) return null;
  return (
    <button type="button" className={styles.star} aria-pressed={isStarred} aria-label={t("star", { title })} title={set.error ? t("notSaved", { reason: set.error.message }) : isStarred ? t("starRemove") : t("starAdd")} onClick={() => set.mutate(!isStarred)}>
      {isStarred ? "★" : "☆"}
    </button>
  );
}
