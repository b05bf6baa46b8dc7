import { useState } from "react";
import { HeadingLevel } from "@/components/headingLevel";
import type { Folding } from "./useFolding";
import { elementId, type SectionId } from "./sections";
import styles from "./Section.module.css";

interface Props {
  id: SectionId;
  title: string;
  folding: Folding;
  children: React.ReactNode;
}

/** A section of the result that folds. Its content is rendered when it is first open, so that a folded one costs nothing. */
export function Section({ id, title, folding, children }: Props) {
  const open = folding.isOpen(id);
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  return (
    <details
      id={elementId(id)}
      className={styles.section}
      open={open}
      onToggle={(event) => {
        if (event.target === event.currentTarget && event.currentTarget.open !== open) folding.set([id], event.currentTarget.open);
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      <HeadingLevel value={3}>
        <div className={styles.content}>{(open || wasOpen) && children}</div>
      </HeadingLevel>
    </details>
  );
}
