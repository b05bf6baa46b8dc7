import { useRef } from "react";
import { messages } from "@/messages";
import { panelId, type TabId } from "./tabs";
import styles from "./Tabs.module.css";

const t = messages("answer");

interface Props {
  tabs: readonly { id: TabId; title: string; warnings?: number }[];
  open: TabId;
  onOpen: (tab: TabId) => void;
}

const tabElement = (tab: TabId) => `${panelId(tab)}-label`;

/** The tabs of a result: one tab stop; arrow keys, Home and End open the others. */
export function TabList({ tabs, open, onOpen }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === open);
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    const next = to === undefined ? undefined : tabs[to];
    if (!next || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    onOpen(next.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to ?? 0]?.focus();
  };
  return (
    <div
      ref={list}
      className={styles.tabs}
      role="tablist"
      aria-label={t("tabs")}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ id, title, warnings = 0 }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabElement(id)}
          aria-selected={id === open}
          aria-controls={id === open ? panelId(id) : undefined}
          tabIndex={id === open ? 0 : -1}
          aria-label={
            warnings > 0
              ? t("tabWarnings", { count: warnings, title, n: String(warnings) })
              : undefined
          }
          onClick={() => onOpen(id)}
        >
          {title}
          {warnings > 0 && (
            <span className={styles.mark} aria-hidden="true">
              ⚠{warnings}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** The content of a tab. On paper each has its title, as all are printed. */
export function TabPanel({
  id,
  title,
  children,
}: {
  id: TabId;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <div
      id={panelId(id)}
      className={styles.panel}
      role="tabpanel"
      aria-labelledby={tabElement(id)}
      tabIndex={-1}
    >
      <h2 className={styles.printed} aria-hidden="true">
        {title}
      </h2>
      {children}
    </div>
  );
}
