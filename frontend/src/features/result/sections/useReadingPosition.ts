import { useEffect, useState } from "react";
import { elementId, type SectionId } from "./sections";

/** The part of the window in which a section counts as being read: below the header, in the upper third. */
const BAND = "-72px 0px -62% 0px";

/** Returns the section that is being read. */
export function useReadingPosition(sections: readonly SectionId[]): SectionId | null {
  const [current, setCurrent] = useState<SectionId | null>(sections[0] ?? null);
  const names = sections.join(" ");
  useEffect(() => {
    if (typeof IntersectionObserver !== "function") return undefined;
    const all = names.split(" ") as SectionId[];
    const inBand = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) inBand.add(target.id);
          else inBand.delete(target.id);
        const found = all.find((section) => inBand.has(elementId(section)));
        if (found) setCurrent(found);
      },
      { rootMargin: BAND },
    );
    for (const section of all) {
      const element = document.getElementById(elementId(section));
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [names]);
  return current;
}
