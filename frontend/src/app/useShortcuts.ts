import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Shortcuts are ignored while one of these has the focus: a letter typed into a field must not leave the page. */
const CONTROLS = "input, textarea, select, button, label, summary, form, [contenteditable], dialog[open]";

/** Shortcuts: "?" opens the help, "n" a new experiment, "u" the last link of the breadcrumb. */
export function useShortcuts(enabled: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(CONTROLS)) return;
      if (event.key === "?") void navigate("/help");
      if (event.key === "n") void navigate("/new");
      if (event.key === "u") {
        const links = document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Breadcrumb"] a');
        links[links.length - 1]?.click();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [enabled, navigate]);
}
