import { useId } from "react";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import styles from "./Frame.module.css";

const t = messages("charts");

export interface ChartMark {
  key: string;
  /** Marks of one group are beside each other, such as those of one cell. */
  group: string;
  /** What the mark shows, with its figures. */
  text: string;
  /** Opens the page of what it shows. */
  open?: (() => void) | undefined;
}

interface Props {
  title: string;
  marks: readonly ChartMark[];
  active: number | null;
  onActive: (index: number | null) => void;
}

/** The marks of a chart for the keyboard: one tab stop; arrow keys move through them, and the active one is said and shown. */
export function ChartMarks({ title, marks, active, onActive }: Props) {
  const id = useId();
  if (marks.length === 0) return null;
  const index = active === null ? 0 : Math.min(active, marks.length - 1);
  const mark = marks[index];
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Enter" && mark?.open) {
      event.preventDefault();
      mark.open();
      return;
    }
    const next = moved(marks, index, event.key);
    if (next === null) return;
    event.preventDefault();
    onActive(next);
  };
  return (
    <div
      className={styles.marks}
      role="listbox"
      tabIndex={0}
      aria-label={t("marksOf", { title })}
      aria-activedescendant={active === null ? undefined : `${id}-${index}`}
      onFocus={() => onActive(index)}
      onBlur={() => onActive(null)}
      onKeyDown={onKeyDown}
    >
      {mark && (
        <div id={`${id}-${index}`} role="option" aria-selected={active !== null} aria-posinset={index + 1} aria-setsize={marks.length}>
          {mark.text}
        </div>
      )}
      <span aria-hidden="true" className={styles.keys}>{t("marksKeys", { index: formatNumber(index + 1), count: marks.length, all: formatNumber(marks.length) })}</span>
    </div>
  );
}

/** Returns the index to which a key moves, or null: left and right to the neighbours, up and down to the neighbouring groups. */
export function moved(marks: readonly ChartMark[], index: number, key: string): number | null {
  const last = marks.length - 1;
  const group = marks[index]?.group;
  const startOf = (at: number) => marks.findIndex((mark) => mark.group === marks[at]?.group);
  switch (key) {
    case "ArrowRight":
      return Math.min(last, index + 1);
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowDown": {
      const next = marks.findIndex((mark, at) => at > index && mark.group !== group);
      return next < 0 ? last : next;
    }
    case "ArrowUp": {
      const start = startOf(index);
      return start <= 0 ? 0 : startOf(start - 1);
    }
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
