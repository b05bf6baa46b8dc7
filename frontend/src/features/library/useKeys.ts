import { useEffect, useRef } from "react";

interface Key {
  key: string;
  label: string;
  run: () => void;
}

const CONTROLS = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open], [role=dialog]";

/** Runs the action of a key while no text field or dialog has the focus. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || (event.target as HTMLElement | null)?.closest(CONTROLS)) return;
      const found = latest.current.find(({ key }) => key === event.key);
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
