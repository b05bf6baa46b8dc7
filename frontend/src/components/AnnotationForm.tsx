import { useMutation, useQueryClient } from "@tanstack/react-query";
import { fieldErrors } from "@/api/errors";
import { annotateRun, type Run } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { messages } from "@/messages";
import styles from "./AnnotationForm.module.css";
import { Button } from "./Button";
import { Field } from "./Field";
import { Note } from "./Status";

const t = messages("library");

/** A note as it is being written, and the tags where they are edited with it. */
export interface AnnotationDraft {
  note: string;
  tags?: string;
}

interface Props {
  runId: string;
  draft: AnnotationDraft;
  autoFocus?: boolean;
  onChange: (draft: AnnotationDraft) => void;
  /** Called when the draft is saved, and when it is discarded. */
  onDone: () => void;
}

/** Edits the note of a run, and its tags where the draft has some. The draft stays until it is saved. */
export function AnnotationForm({ runId, draft, autoFocus = false, onChange, onDone }: Props) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: ({ note, tags }: AnnotationDraft) => annotateRun({ path: { run_id: runId }, body: { note, ...(tags !== undefined && { tags: wordsOf(tags) }) } }),
    onSuccess: async (saved) => {
      client.setQueryData(queries.run(runId).queryKey, (known: Run | undefined) => known && { ...known, note: saved.note, tags: saved.tags });
      onDone();
      await client.invalidateQueries({ queryKey: RUNS });
    },
  });
  const errors = fieldErrors(save.error);
  const at = (name: string) => errors.filter(({ pointer }) => pointer.startsWith(`/${name}`));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft);
      }}
    >
      <Field label={t("noteLabel")} hint={t("noteHint")} errors={at("note")}>
        {(ids) => <textarea {...ids} rows={5} autoFocus={autoFocus} value={draft.note} onChange={(event) => onChange({ ...draft, note: event.target.value })} />}
      </Field>
      {draft.tags !== undefined && (
        <Field label={t("tags")} hint={t("tagsHint")} errors={at("tags")}>
          {(ids) => <input {...ids} value={draft.tags} onChange={(event) => onChange({ ...draft, tags: event.target.value })} />}
        </Field>
      )}
      <div role="alert">{save.error && errors.length === 0 && <Note tone="bad">{save.error.message}</Note>}</div>
      <p className={styles.buttons}>
        <Button type="submit" kind="primary" busy={save.isPending}>
          {t("save")}
        </Button>
        <Button kind="ghost" onClick={onDone}>
          {t("discard")}
        </Button>
      </p>
    </form>
  );
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
