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
    return () => {
      observer.disconnect();
      style.removeProperty("scroll-padding-bottom");
    };
  }, []);
  return bar;
}
