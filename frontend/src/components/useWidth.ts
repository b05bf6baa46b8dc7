import { useCallback, useState } from "react";

/** Returns a ref and the current width of its element in CSS pixels; `fallback` until it is laid out. */
export function useWidth(fallback: number): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(fallback);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    // Known before the first frame: what is drawn for another width would move.
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const room = Math.floor(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    if (room > 0) setWidth(room);
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
