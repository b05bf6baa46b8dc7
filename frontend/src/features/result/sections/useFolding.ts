import { useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import { useNarrow } from "@/components/useNarrow";
import { isOpenAtFirst, isPrinted, sectionAt, type SectionId } from "./sections";

export interface Folding {
  isOpen: (section: SectionId) => boolean;
  /** Opens or folds sections, and stores that in the browser. */
  set: (sections: readonly SectionId[], open: boolean) => void;
  /** Opens a section for this visit only. */
  show: (section: SectionId) => void;
}

type Stored = Partial<Record<SectionId, boolean>>;

const KEY = "plimsoll.result.sections";
/** On narrower screens most sections are folded at first. */
const PHONE = 640;

/** Which sections of a result are open: as stored, or as a link or the width of the screen demand. All are open on paper. */
export function useFolding(): Folding {
  const { hash, search } = useLocation();
  const [stored, setStored] = useState(read);
  const [shown, setShown] = useState<readonly SectionId[]>([]);
  const narrow = useNarrow(PHONE);
  const isPrinting = usePrinting();
  const linked = sectionAt(hash);
  const pivot = /[?&]pivot_/.test(search);
  const show = useCallback((section: SectionId) => setShown((known) => [...known.filter((each) => each !== section), section]), []);
  const isOpen = (section: SectionId) =>
    (isPrinting && isPrinted(section)) || shown.includes(section) || (stored[section] ?? (section === linked || (section === "pivot" && pivot) || isOpenAtFirst(section, narrow)));
  return {
    isOpen,
    set: (sections, open) => {
      const next = { ...stored, ...Object.fromEntries(sections.map((section) => [section, open])) };
      setStored(next);
      setShown((known) => known.filter((section) => !sections.includes(section)));
      write(next);
    },
    show,
  };
}

/** Whether the page is being printed. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes the page as it is when the listener returns.
    const before = () => flushSync(() => setPrinting(true));
    const after = () => setPrinting(false);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, []);
  return isPrinting;
}

function read(): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

function write(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Without storage the choice is lost when the page is closed.
  }
}
