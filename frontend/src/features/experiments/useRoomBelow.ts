import { useEffect, useRef } from "react";

/** More than the line around a focused field. */
const MARGIN = 12;

/** Returns the ref of a bar at the bottom of the window: what gets the focus is scrolled to a place above it. */
export function useRoomBelow(): React.RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty("scroll-padding-bottom", `${element.getBoundingClientRect().height + MARGIN}px`);
    });
    observer.observe(element);
    // The browser scrolls to the cursor of a text field of several lines, not to all of the field.
    const show = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || element.contains(target)) return;
      // A button under the mouse stays there: what moves away is not clicked.
      if (target.matches(":focus-visible")) scrollAbove(element, target);
    };
    document.addEventListener("focusin", show);
    return () => {
      document.removeEventListener("focusin", show);
      observer.disconnect();
      style.removeProperty("scroll-padding-bottom");
    };
  }, []);
  return bar;
}

/** Scrolls a field that a bar covers to a place above it; one that does not fit is left to the browser. */
function scrollAbove(bar: HTMLElement, field: HTMLElement): void {
  const { bottom, height } = field.getBoundingClientRect();
  const { top } = bar.getBoundingClientRect();
  const over = bottom + MARGIN - top;
  if (over > 0 && height < top / 2) window.scrollBy({ top: over });
}
