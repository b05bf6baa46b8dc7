/** The page's language: the chosen one, else the first of the browser's that Plimsoll speaks, else English. */
import { useSyncExternalStore } from "react";

export type Language = "en" | "zh";

export const LANGUAGES: readonly { value: Language; label: string; tag: string }[] = [
  { value: "en", label: "English", tag: "en" },
  { value: "zh", label: "简体中文", tag: "zh-Hans" },
];

const KEY = "plimsoll.language";
const listeners = new Set<() => void>();
let current: Language = chosen() ?? ofBrowser();

function chosen(): Language | null {
  try {
    const stored = localStorage.getItem(KEY);
    return LANGUAGES.find(({ value }) => value === stored)?.value ?? null;
  } catch {
    return null;
  }
}

function ofBrowser(): Language {
  const tags = navigator.languages ?? [navigator.language];
  const known = tags.find((tag) => /^(en|zh)\b/i.test(tag));
  return known?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function language(): Language {
  return current;
}

/** The BCP 47 tag of the current language, for `lang` and `Intl`. */
export function languageTag(): string {
  return LANGUAGES.find(({ value }) => value === current)?.tag ?? "en";
}

/** Sets and stores the language; `load` gets its messages before any component is notified. */
export async function chooseLanguage(to: Language, load: () => Promise<void>): Promise<void> {
  try {
    localStorage.setItem(KEY, to);
  } catch {
    // Without storage the choice is lost when the page is closed.
  }
  current = to;
  document.documentElement.lang = languageTag();
  await load();
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current language; the component is rendered again when another one is chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language);
}
