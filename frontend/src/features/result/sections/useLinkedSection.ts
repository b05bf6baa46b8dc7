import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { elementId, sectionAt, type SectionId } from "./sections";

/** Moves the screen and the keyboard to a section. */
export function goTo(section: SectionId): void {
  const element = document.getElementById(elementId(section));
  element?.scrollIntoView?.({ block: "start" });
  const target = element instanceof HTMLDetailsElement ? element.querySelector("summary") : element;
  target?.focus({ preventScroll: true });
}

/** Opens the section that the address names, and goes to it, once for each such address. */
export function useLinkedSection(show: (section: SectionId) => void): void {
  const { hash } = useLocation();
  const done = useRef<string | null>(null);
  useEffect(() => {
    const section = sectionAt(hash);
    if (section === null || done.current === hash) return;
    done.current = hash;
    show(section);
    // Its content has its height once it is rendered.
    requestAnimationFrame(() => goTo(section));
  }, [hash, show]);
}
