import { useEffect, useRef } from "react";
import { useListed, useShortcutsOn, type Shortcut } from "@/components/shortcuts";

const CONTROLS = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open], [role=dialog]";

/** Shortcuts of a list: they also work while one of its buttons or boxes has the focus, but not in a text field or dialog. */
export function useKeys(keys: readonly Shortcut[]): void {
  const [areOn] = useShortcutsOn();
  useListed(keys);
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!areOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || (event.target as HTMLElement | null)?.closest(CONTROLS)) return;
      const found = latest.current.find((one) => one.keys === event.key);
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [areOn]);
}
