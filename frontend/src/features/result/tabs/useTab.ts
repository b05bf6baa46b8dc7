import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useAddress } from "@/components/useAddress";
import { panelId, TAB, tabAt, tabOfSection, type TabId } from "./tabs";

/** Returns the open tab, which the address names, and a function that opens another one. */
export function useTab(tabs: readonly TabId[]): [TabId, (tab: TabId) => void] {
  const [query, change] = useAddress();
  useEarlierLink(tabs);
  return [tabAt(tabs, query), (tab) => change({ [TAB]: tab })];
}

/** Opens the tab that has the section of an earlier link now, and goes to it, once for each such address. */
function useEarlierLink(tabs: readonly TabId[]): void {
  const { pathname, hash } = useLocation();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const done = useRef<string | null>(null);
  useEffect(() => {
    const tab = tabOfSection(tabs, hash);
    if (tab === null || done.current === hash) return;
    done.current = hash;
    const next = new URLSearchParams(query);
    next.set(TAB, tab);
    void navigate({ pathname, search: next.toString(), hash: "" }, { replace: true, preventScrollReset: true });
    // Its content has its height once it is rendered.
    requestAnimationFrame(() => {
      const panel = document.getElementById(panelId(tab));
      panel?.scrollIntoView?.({ block: "start" });
      panel?.focus({ preventScroll: true });
    });
  }, [tabs, pathname, query, hash, navigate]);
}
