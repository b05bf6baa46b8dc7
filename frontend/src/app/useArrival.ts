import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** Moves the focus to the heading of the page that was opened, and returns its title for screen readers; "" for the first page. */
export function useArrival(main: React.RefObject<HTMLElement | null>): string {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const content = main.current;
    if (!content) return;
    const from = document.activeElement;
    const arrive = () => {
      const heading = content.querySelector("h1");
      if (!heading) return false;
      // Who went on meanwhile, for example into a field of the page, keeps the focus.
      if (document.activeElement === from || document.activeElement === document.body) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      setTitle(document.title);
      return true;
    };
    if (arrive()) return;
    const observer = new MutationObserver(() => {
      if (arrive()) observer.disconnect();
    });
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pathname, main]);
  return title;
}
