import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useId, useRef, useState, useSyncExternalStore, type KeyboardEvent, type MouseEvent } from "react";
import { Button } from "@/components/Button";
import { useShortcut } from "@/components/shortcuts";
import { messages } from "@/messages";
import { moved, type Entry } from "./gridMoves";
import styles from "./Matrix.module.css";
import { describeEntry, entryId, MatrixRowView } from "./MatrixRowView";
import type { MatrixStore } from "./matrixStore";

const t = messages("runs");
const ROW_PX = 30;
const HEAD_PX = 30;
const PAGE = 12;

interface Props {
  store: MatrixStore;
  /** Opens a trial by its cell and round, or a cell where the round is null. */
  open: (cellId: string, round: number | null) => void;
  selected: ReadonlySet<string>;
  select: (cells: ReadonlySet<string>) => void;
}

/** The matrix as a grid with one tab stop: arrow keys move, Enter opens, Space selects the row, Escape ends the selection, r goes to the running trial. Memoised: live figures do not render it again. */
export const MatrixGrid = memo(function MatrixGrid({ store, open, selected, select }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Entry>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState(0);
  const size = useSyncExternalStore(store.subscribe, () => store.size);
  // The compiler does not memoise what this hook returns; rows are memoised by themselves.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({ count: size, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 8, scrollPaddingEnd: HEAD_PX, initialRect: { width: 800, height: 420 } });
  const columns = store.rounds + 1;

  const go = (to: Entry) => {
    setActive(to);
    virtual.scrollToIndex(to.row);
    const entry = document.getElementById(entryId(id, to.row, to.column));
    entry?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  };
  const goToRunning = () => {
    const found = store.running();
    if (!found) return;
    const to = { row: found.row, column: found.round + 1 };
    go(to);
    scroller.current?.focus();
    // The row may be rendered only after it was scrolled to.
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(entryId(id, to.row, to.column))?.scrollIntoView?.({ block: "nearest", inline: "nearest" })));
  };
  const toggle = (row: number, range: boolean) => {
    const next = new Set(selected);
    const ids = range ? between(store, anchor, row) : [store.row(row)?.cell.id ?? ""];
    const add = range || !next.has(ids[0] ?? "");
    ids.forEach((cell) => (add ? next.add(cell) : next.delete(cell)));
    setAnchor(row);
    select(next);
  };
  const openEntry = ({ row, column }: Entry) => {
    const found = store.row(row);
    if (found) open(found.cell.id, column === 0 || found.states === "" ? null : column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const to = moved(active, event, { rows: size, columns, page: PAGE });
    if (to) {
      go(to);
      if (event.shiftKey && to.row !== active.row) select(new Set([...selected, ...between(store, active.row, to.row)]));
    } else if (event.key === "Enter") openEntry(active);
    else if (event.key === " ") toggle(active.row, event.shiftKey);
    else if (event.key === "r" && !event.ctrlKey && !event.metaKey) goToRunning();
    else if (event.key === "Escape" && selected.size > 0) select(new Set());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent) => {
    const entry = (event.target as Element).closest<HTMLElement>("[data-column]");
    const row = entry?.closest<HTMLElement>("[data-row]");
    if (!entry || !row) return;
    const at = { row: Number(row.dataset["row"]), column: Number(entry.dataset["column"]) };
    setActive(at);
    if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(at.row, event.shiftKey);
    else openEntry(at);
  };
  const items = virtual.getVirtualItems();
  const shown = items.some(({ index }) => index === active.row);
  const activeRow = store.row(active.row);
  const column = activeRow?.states === "" ? Math.min(active.column, 1) : active.column;
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={t("matrixLabel")}
        aria-describedby={`${id}-help`}
        aria-rowcount={size + 1}
        aria-colcount={columns}
        aria-multiselectable="true"
        aria-activedescendant={shown ? entryId(id, active.row, column) : undefined}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div role="row" aria-rowindex={1} className={styles.heads}>
          <div role="columnheader" className={styles.header}>{t("matrixCell")}</div>
          {Array.from({ length: store.rounds }, (_, round) => (
            <div key={round} role="columnheader" className={styles.head} aria-label={t("roundNumber", { round: round + 1 })}>{round + 1}</div>
          ))}
        </div>
        <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize(), minWidth: `calc(var(--header) + ${34 * store.rounds}px)` }}>
          {items.map(({ index, start }) => (
            <MatrixRowView key={index} store={store} at={index} top={start} active={index === active.row ? column : null} selected={selected.has(store.row(index)?.cell.id ?? "")} gridId={id} />
          ))}
        </div>
      </div>
      <p id={`${id}-help`} className="visually-hidden">{t("matrixHelp")}</p>
      <div className={styles.current}>
        <ActiveEntry store={store} active={active} />
        <ToRunning store={store} go={goToRunning} />
      </div>
    </>
  );
});

/** The ids of the cells from one row to another. */
function between(store: MatrixStore, from: number, to: number): string[] {
  const [first, last] = from < to ? [from, to] : [to, from];
  return Array.from({ length: last - first + 1 }, (_, at) => store.row(first + at)?.cell.id ?? "");
}

/** Goes to the running trial, while there is one. */
function ToRunning({ store, go }: { store: MatrixStore; go: () => void }) {
  const isRunning = useSyncExternalStore(store.subscribe, () => store.counted("r") > 0);
  useShortcut("r", t("toRunning"), go, isRunning);
  return isRunning && <Button kind="ghost" onClick={go}>{t("toRunning")}</Button>;
}

/** The active entry in words, below the grid. */
function ActiveEntry({ store, active }: { store: MatrixStore; active: Entry }) {
  const row = useSyncExternalStore(store.subscribe, () => store.row(active.row));
  if (!row) return null;
  const what = row.states === "" ? (row.cell.infeasible ?? "") : active.column === 0 ? "" : describeEntry(row, active.column - 1);
  const text = what === "" ? row.cell.label : active.column === 0 || row.states === "" ? t("matrixActiveCell", { cell: row.cell.label, what }) : t("matrixActive", { cell: row.cell.label, round: active.column, what });
  return <p className={styles.active}>{text}</p>;
}
