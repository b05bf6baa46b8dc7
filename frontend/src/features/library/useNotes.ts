import { useCallback } from "react";
import { useKept } from "@/components/useKept";

/** A run whose note is edited. */
export interface Noted {
  id: string;
  title: string;
}

interface Kept {
  open: Noted | null;
  texts: Readonly<Record<string, string>>;
}

export interface NoteDrafts extends Kept {
  edit: (run: Noted) => void;
  write: (id: string, text: string) => void;
  close: () => void;
  /** Forgets what was typed: it is saved, or discarded. */
  done: (id: string) => void;
}

/** The notes that are being written, by run: kept when the list changes, and where the session ends. */
export function useNotes(): NoteDrafts {
  const [kept, set] = useKept<Kept>("notes", { open: null, texts: {} });
  return {
    ...kept,
    edit: useCallback((run: Noted) => set(({ texts }) => ({ open: { id: run.id, title: run.title }, texts })), [set]),
    write: (id, text) => set(({ open, texts }) => ({ open, texts: { ...texts, [id]: text } })),
    close: () => set(({ texts }) => ({ open: null, texts })),
    done: (id) => set(({ texts }) => ({ open: null, texts: Object.fromEntries(Object.entries(texts).filter(([other]) => other !== id)) })),
  };
}
