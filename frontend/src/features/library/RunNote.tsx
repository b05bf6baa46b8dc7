import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LibraryRun } from "@/api/generated";
import { queries } from "@/api/queries";
import { MarkdownText } from "@/components/MarkdownText";
import { messages } from "@/messages";
import styles from "./LibraryRows.module.css";

const t = messages("library");

/** The note of a run: its first line, and all of it as Markdown once it is opened. */
export function RunNote({ run }: { run: LibraryRun }) {
  const [isOpen, setOpen] = useState(false);
  const full = useQuery({ ...queries.run(run.id), enabled: isOpen });
  const [line = ""] = run.note.split("\n", 1);
  return (
    <details className={styles.note} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("note", { line: line.replace(/^#+\s*/, "") })}</summary>
      {isOpen && <MarkdownText text={full.data?.note ?? run.note} />}
    </details>
  );
}
