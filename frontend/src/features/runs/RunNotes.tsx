import { memo } from "react";
import type { Run } from "@/api/generated";
import { AnnotationForm, type AnnotationDraft } from "@/components/AnnotationForm";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { MarkdownText } from "@/components/MarkdownText";
import { useKept } from "@/components/useKept";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./RunNotes.module.css";

const t = messages("runs");

/** The note and the tags of a run, which who may change runs can edit. */
export const RunNotes = memo(function RunNotes({ run }: { run: Run }) {
  const [draft, setDraft] = useKept<AnnotationDraft | null>("note", null);
  const mayWrite = useMay("write");
  const { note = "", tags = [] } = run;
  if (!mayWrite && note === "" && tags.length === 0) return null;
  return (
    <Card title={t("noteTitle")} note={t("noteNote")}>
      {draft ? (
        <AnnotationForm runId={run.id} draft={draft} onChange={setDraft} onDone={() => setDraft(null)} />
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
