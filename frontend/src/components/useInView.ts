import { useCallback, useState } from "react";

/** Returns a ref and whether its element is in the visible part of the page, or within a margin such as "100%" of it; true where the browser cannot say. */
export function useInView(margin = "0px", first = true): [(element: HTMLElement | null) => (() => void) | undefined, boolean] {
  const [inView, setInView] = useState(first || typeof IntersectionObserver === "undefined");
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || typeof IntersectionObserver === "undefined") return undefined;
      const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? true), { rootMargin: `${margin} 0px` });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [margin],
  );
  return [ref, inView];
}
