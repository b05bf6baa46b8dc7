import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memo } from "react";
import { fieldErrors } from "@/api/errors";
import { annotateRun, type Run } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { MarkdownText } from "@/components/MarkdownText";
import { Note } from "@/components/Status";
import { useKept } from "@/components/useKept";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./RunNotes.module.css";

const t = messages("runs");

/** The note and the tags of a run, which who may change runs can edit. */
export const RunNotes = memo(function RunNotes({ run }: { run: Run }) {
  const [draft, setDraft] = useKept<{ note: string; tags: string } | null>("note", null);
  const client = useQueryClient();
  const mayWrite = useMay("write");
  const { note = "", tags = [] } = run;
  const save = useMutation({
    mutationFn: (text: { note: string; tags: string }) => annotateRun({ path: { run_id: run.id }, body: { note: text.note, tags: wordsOf(text.tags) } }),
    onSuccess: async (saved) => {
      client.setQueryData(queries.run(run.id).queryKey, (known: Run | undefined) => known && { ...known, note: saved.note, tags: saved.tags });
      setDraft(null);
      await client.invalidateQueries({ queryKey: RUNS });
    },
  });
  if (!mayWrite && note === "" && tags.length === 0) return null;
  const errors = fieldErrors(save.error);
  const at = (name: string) => errors.filter(({ pointer }) => pointer.startsWith(`/${name}`));
  return (
    <Card title={t("noteTitle")} note={t("noteNote")}>
      {draft ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(draft);
          }}
        >
          <Field label={t("noteTitle")} hint={t("noteHint")} errors={at("note")}>
            {(ids) => <textarea {...ids} rows={5} value={draft.note} onChange={(event) => setDraft({ ...draft, note: event.target.value })} />}
          </Field>
          <Field label={t("tags")} hint={t("tagsHint")} errors={at("tags")}>
            {(ids) => <input {...ids} value={draft.tags} onChange={(event) => setDraft({ ...draft, tags: event.target.value })} />}
          </Field>
          {save.error && errors.length === 0 && <Note tone="bad">{save.error.message}</Note>}
          <p className={styles.buttons}>
            <Button type="submit" kind="primary" busy={save.isPending}>
              {t("save")}
            </Button>
            <Button kind="ghost" onClick={() => setDraft(null)}>
              {t("discard")}
            </Button>
          </p>
        </form>
      ) : (
        <>
          {note && <MarkdownText text={note} />}
          {tags.length > 0 && (
            <ul className={styles.tags} aria-label={t("tags")}>
              {tags.map((tag) => (
                <li key={tag}>{tag}</li>
              ))}
            </ul>
          )}
          {mayWrite && (
            <Button kind="ghost" onClick={() => setDraft({ note, tags: tags.join(" ") })}>
              {note || tags.length > 0 ? t("edit") : t("addNote")}
            </Button>
          )}
        </>
      )}
    </Card>
  );
});

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
