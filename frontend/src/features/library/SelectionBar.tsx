import { useState } from "react";
import type { LibraryRun, RunChanges } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Button } from "@/components/Button";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { DeleteRuns } from "./DeleteRuns";
import styles from "./LibraryPage.module.css";
import { useChanges } from "./useLibrary";

const t = messages("library");
const TAG = /^[a-z0-9][a-z0-9._:/-]{0,39}$/;

/** What can be done with all selected runs. */
export function SelectionBar({ runs, onDone }: { runs: readonly LibraryRun[]; onDone: () => void }) {
  const changes = useChanges();
  const mayWrite = useMay("write");
  const [tag, setTag] = useState("");
  const [deleting, setDeleting] = useState(false);
  const ids = runs.map(({ id }) => id);
  const change = (what: Omit<RunChanges, "runs">) => changes.mutate({ runs: ids, ...what });
  const wanted = tag.trim().toLowerCase();
  const archived = runs.every((run) => run.archived);
  return (
    <section className={styles.selection} aria-label={t("selection")}>
      <strong role="status">{t("selected", { count: runs.length })}</strong>
      {mayWrite && (
        <>
          <Button busy={changes.isPending} onClick={() => change({ starred: !runs.every(({ starred }) => starred) })}>{runs.every(({ starred }) => starred) ? t("unstar") : t("star")}</Button>
          <Button busy={changes.isPending} disabled={!archived && !runs.every(({ state }) => isTerminal(state))} onClick={() => change({ archived: !archived })}>{archived ? t("unarchive") : t("archive")}</Button>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (!TAG.test(wanted)) return;
              change({ add_tags: [wanted] });
              setTag("");
            }}
          >
            <input aria-label={t("tag")} placeholder={t("tag")} value={tag} maxLength={40} spellCheck={false} autoCapitalize="none" aria-invalid={wanted !== "" && !TAG.test(wanted)} onChange={(event) => setTag(event.target.value)} />
            <Button type="submit" disabled={!TAG.test(wanted)}>{t("addTag")}</Button>
            <Button disabled={!TAG.test(wanted) || !runs.some(({ tags }) => tags.includes(wanted))} onClick={() => change({ remove_tags: [wanted] })}>{t("removeTag")}</Button>
          </form>
          <Button kind="danger" disabled={!runs.every(({ state }) => isTerminal(state))} onClick={() => setDeleting(true)}>{t("delete")}</Button>
        </>
      )}
      <Button kind="ghost" onClick={onDone}>{t("clearSelection")}</Button>
      {changes.error && <Note tone="bad">{changes.error.message}</Note>}
      <DeleteRuns runs={runs} open={deleting} onClose={() => setDeleting(false)} onDone={onDone} />
    </section>
  );
}
