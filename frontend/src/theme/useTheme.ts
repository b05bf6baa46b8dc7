import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "plimsoll.theme";
const listeners = new Set<() => void>();

function read(): Theme {
  const value = document.documentElement.dataset.theme;
  return value === "light" || value === "dark" ? value : "system";
}

function store(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice is lost when the page is closed.
  }
}

function choose(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  store(theme);
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen theme and its setter; the choice is stored in the browser. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, read), choose];
}

/** Returns the visible theme: the chosen one, or the system's. */
export function shownTheme(): "light" | "dark" {
  const theme = read();
  if (theme !== "system") return theme;
  return typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
