import { memo, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { HeadingLevel } from "@/components/headingLevel";
import { useInView } from "@/components/useInView";
import type { Folding } from "./useFolding";
import { elementId, type SectionId } from "./sections";
import styles from "./Section.module.css";

interface Props {
  id: SectionId;
  title: string;
  folding: Folding;
  /** Whether the content is rendered only once it is nearly in the visible part: that of a large result has ten thousands of elements. */
  late: boolean;
  children: React.ReactNode;
}

/** So far outside of the visible part the content is rendered, in heights of the window. */
const NEAR = "100%";

/** The content of a section; while it is folded, it stays as it was. */
const Content = memo(
  function Content({ children }: { open: boolean; children: React.ReactNode }) {
    return children;
  },
  (before, after) => !after.open || before.children === after.children,
);

/** A section of the result that folds. Its content is rendered when it is first open, and again only while it is open. */
export function Section({ id, title, folding, late, children }: Props) {
  const open = folding.isOpen(id);
  const [ref, isNear] = useInView(NEAR, !late);
  const [isDue, setDue] = useState(false);
  if (open && (isNear || !late) && !isDue) setDue(true);
  useEffect(() => {
    const all = () => flushSync(() => setDue(true));
    if (!open || isDue) return;
    window.addEventListener("beforeprint", all);
    return () => window.removeEventListener("beforeprint", all);
  }, [open, isDue]);
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
        <div ref={ref} className={styles.content} data-empty={!isDue || undefined}>
          {isDue && <Content open={open}>{children}</Content>}
        </div>
      </HeadingLevel>
    </details>
  );
}
