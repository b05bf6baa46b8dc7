import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { AnnotationForm } from "@/components/AnnotationForm";
import { Dialog } from "@/components/Dialog";
import { Failure, Loading } from "@/components/Status";
import { messages } from "@/messages";
import type { NoteDrafts } from "./useNotes";

const t = messages("library");

/** Edits the note of a run in a dialog. Closing it keeps what was typed for the next time. */
export function NoteDialog({ notes: { open, texts, write, close, done } }: { notes: NoteDrafts }) {
  return (
    <Dialog title={open ? t("note", { line: open.title }) : ""} open={open !== null} onClose={close} actions={null} wide>
      {open && <Editor key={open.id} id={open.id} text={texts[open.id]} onText={(text) => write(open.id, text)} onDone={() => done(open.id)} />}
    </Dialog>
  );
}

interface Props {
  id: string;
  /** What was typed; undefined while it is the stored note. */
  text: string | undefined;
  onText: (text: string) => void;
  onDone: () => void;
}

function Editor({ id, text, onText, onDone }: Props) {
  // The list has the beginning of a note only, and what was read earlier may be an older one.
  const stored = useQuery({ ...queries.run(id), enabled: text === undefined, refetchOnMount: "always", retry: false });
  if (text === undefined && !stored.isFetchedAfterMount) return <Loading label={t("loadingNote")} rows={2} />;
  if (text === undefined && stored.isError) return <Failure error={stored.error} retry={() => void stored.refetch()} />;
  return <AnnotationForm runId={id} draft={{ note: text ?? stored.data?.note ?? "" }} autoFocus onChange={({ note }) => onText(note)} onDone={onDone} />;
}
