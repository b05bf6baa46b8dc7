import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, type Dispatch, type SetStateAction } from "react";
import { queries } from "@/api/queries";
import { keep, otherDrafts, ownDraft, ownKey, remove, type KeptDraft } from "./drafts";

export interface Draft {
  text: string;
  setText: Dispatch<SetStateAction<string>>;
  /** The newest text that could be parsed before the page was opened. */
  good: string | null;
  /** When the restored text was last changed; null where nothing was restored. */
  restoredAt: number | null;
  /** Drafts of other tabs and earlier visits. */
  others: readonly KeptDraft[];
  /** Whether the browser keeps the text. */
  isKept: boolean;
  /** Takes another draft in place of an unchanged text. */
  take: (draft: KeptDraft) => void;
  drop: (draft: KeptDraft) => void;
  /** Returns to the initial text. */
  discard: () => void;
  /** Forgets the draft of a definition that was started. */
  forget: () => void;
}

/** Text that survives a reload, the end of the session and a lost server: kept in this browser for the account while it differs from `initial`. */
export function useDraft(source: string, initial: string): Draft {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  const account = data?.account?.id ?? "";
  const [restored, setRestored] = useState(() => ownDraft(account, source));
  const [text, setText] = useState(restored?.text ?? initial);
  const [others, setOthers] = useState(() => otherDrafts(account, source));
  const [isKept, setKept] = useState(true);
  const started = useRef(false);
  const key = ownKey(account, source);
  useEffect(() => {
    const save = () => {
      if (started.current || text === initial) remove(key);
      else setKept(keep(account, source, text) !== null);
    };
    save();
    // Another tab took or removed this draft: this page still shows the text, and keeps it.
    const changed = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) save();
      setOthers(otherDrafts(account, source));
    };
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  }, [account, source, key, text, initial]);
  const drop = useCallback(
    (draft: KeptDraft) => {
      remove(draft.key);
      setOthers(otherDrafts(account, source));
    },
    [account, source],
  );
  const take = (draft: KeptDraft) => {
    setText(draft.text);
    setRestored(draft);
    drop(draft);
  };
  const discard = () => {
    setText(initial);
    setRestored(null);
  };
  const forget = () => {
    started.current = true;
    remove(key);
  };
  return { text, setText, good: restored?.good ?? null, restoredAt: restored?.at ?? null, others, isKept, take, drop, discard, forget };
}
