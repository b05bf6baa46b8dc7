import { useEffect, useRef, type RefObject } from "react";
import type { LibraryRun } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { useKeys } from "./useKeys";
import { useChanges } from "./useLibrary";

const t = messages("library");

interface Actions {
  onToggle: (id: string) => void;
  /** Brings a row into the document where not all rows are in it. */
  scrollTo: ((index: number) => void) | undefined;
}

/** Keys of the list: j and k move the focus between the runs, Enter opens, x selects, s stars, e archives, m edits the note, / goes to the search. */
export function useRowKeys(list: RefObject<HTMLUListElement | null>, query: string, runs: readonly LibraryRun[], { onToggle, scrollTo }: Actions): void {
  const changes = useChanges();
  const mayWrite = useMay("write");
  const last = useRef(-1);
  useEffect(() => {
    last.current = -1;
  }, [query]);
  const row = (index: number) => list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const focused = () => {
    const index = Number(document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1);
    return index >= 0 ? index : last.current;
  };
  const move = (by: number) => {
    const to = Math.min(runs.length - 1, Math.max(0, focused() + by));
    last.current = to;
    const go = () => row(to)?.querySelector<HTMLElement>("[data-row-link]")?.focus();
    if (row(to) || !scrollTo) return go();
    scrollTo(to);
    requestAnimationFrame(() => requestAnimationFrame(go));
  };
  const current = () => runs[focused()];
  useKeys([
    { keys: "j", label: t("keyNext"), run: () => move(1) },
    { keys: "k", label: t("keyPrevious"), run: () => move(-1) },
    { keys: "x", label: t("keySelect"), run: () => current() && onToggle(current()!.id) },
    { keys: "s", label: t("keyStar"), run: () => row(focused())?.querySelector<HTMLElement>("button[aria-pressed]")?.click() },
    {
      keys: "e",
      label: t("keyArchive"),
      run: () => {
        const run = current();
        if (run && mayWrite && isTerminal(run.state)) changes.mutate({ runs: [run.id], archived: !run.archived });
      },
    },
    { keys: "m", label: t("keyNote"), run: () => row(focused())?.querySelector<HTMLElement>("[data-note]")?.click() },
    { keys: "/", label: t("keySearch"), run: () => document.querySelector<HTMLElement>("[data-library-search] input")?.focus() },
  ]);
}
