/** Keyboard shortcuts and actions of the open page: components register them, the page listens once and lists them. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Shortcut {
  /** One key ("n", "Escape"), two in a row ("g h"), or with the command key of the system ("mod+k"); null: an action without keys. */
  keys: string | null;
  label: string;
  run: () => void;
}

/** Shortcuts are ignored while one of these has the focus: a letter typed into a field must not leave the page. */
const CONTROLS = "input, textarea, select, button, label, summary, form, [contenteditable], [role=grid], [role=menu], [role=listbox], dialog[open], [role=dialog]";
/** What has a use for Escape by itself. */
const TAKES_ESCAPE = "input, textarea, select, [contenteditable], [role=grid], [role=menu], [role=listbox]";
const OPEN_POPUP = "dialog[open], [role=dialog], [role=menu], [role=listbox], [data-popup-open]";
const STORE = "plimsoll.shortcuts";
/** The second key of two must follow within this time, in ms. */
const SEQUENCE_MS = 1500;

const listeners = new Set<() => void>();
let registered: readonly Shortcut[] = [];
let areOn = readOn();

function readOn(): boolean {
  try {
    return localStorage.getItem(STORE) !== "off";
  } catch {
    return true;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const changed = () => listeners.forEach((listener) => listener());

/** Registers a shortcut, or with `null` an action of the command palette, while the component is shown. Of equal keys the last one registered counts. */
export function useShortcut(keys: string | null, label: string, action: () => void, enabled = true): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!enabled) return;
    const shortcut = { keys, label, run: () => latest.current() };
    registered = [...registered, shortcut];
    changed();
    return () => {
      registered = registered.filter((each) => each !== shortcut);
      changed();
    };
  }, [keys, label, enabled]);
}

/** Lists shortcuts that a component handles itself; what they do may change, their keys and labels remain. */
export function useListed(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const listed = latest.current.map((one, at) => ({ ...one, run: () => latest.current[at]?.run() }));
    registered = [...registered, ...listed];
    changed();
    return () => {
      registered = registered.filter((each) => !listed.includes(each));
      changed();
    };
  }, []);
}

/** Escape opens the page above this one: the last link of the breadcrumb. */
export function useEscapeUp(label: string): void {
  useShortcut("Escape", label, openParent);
}

export function openParent(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>("nav[data-breadcrumb] a");
  links[links.length - 1]?.click();
}

/** Returns the shortcuts and actions that are registered now. */
export function useRegistered(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => registered);
}

/** Whether shortcuts of single letters are on, and the setter; the choice is stored in the browser. */
export function useShortcutsOn(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, () => areOn), setOn];
}

function setOn(on: boolean): void {
  areOn = on;
  try {
    if (on) localStorage.removeItem(STORE);
    else localStorage.setItem(STORE, "off");
  } catch {
    // Without storage the choice is lost when the page is closed.
  }
  changed();
}

/** Runs the registered shortcuts. Used once, by the page's layout. */
export function useShortcutKeys(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    let first: { key: string; at: number } | null = null;
    // A popup that Escape closes may be gone when the key arrives here.
    let wasOpen = false;
    const before = () => {
      wasOpen = document.querySelector(OPEN_POPUP) !== null;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        const found = find(`mod+${event.key.toLowerCase()}`);
        if (!found || document.querySelector("dialog[open]")) return;
        event.preventDefault();
        found.run();
        return;
      }
      const target = event.target as HTMLElement | null;
      if (event.key === "Escape" && !wasOpen && !target?.closest(TAKES_ESCAPE)) find("Escape")?.run();
      if (!areOn || event.key.length !== 1 || target?.closest(CONTROLS)) return;
      const earlier = first && event.timeStamp - first.at < SEQUENCE_MS ? first.key : null;
      const found = (earlier && find(`${earlier} ${event.key}`)) || find(event.key);
      const begins = !found && registered.some(({ keys }) => keys?.startsWith(`${event.key} `));
      first = begins ? { key: event.key, at: event.timeStamp } : null;
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", before, true);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", before, true);
      document.removeEventListener("keydown", onKey);
    };
  }, [enabled]);
}

const find = (keys: string): Shortcut | undefined => registered.findLast((shortcut) => shortcut.keys === keys);

/** The keys as they are written on this system's keyboards: "mod+k" is "⌘K" on a Mac, else "Ctrl+K". */
export function keysText(keys: string): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  if (keys === "Escape") return "Esc";
  return keys.replace(/^mod\+(.)$/, (_, key: string) => (isMac ? "⌘" : "Ctrl+") + key.toUpperCase());
}
