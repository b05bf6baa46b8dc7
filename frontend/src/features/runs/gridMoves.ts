/** The keys of a grid: pure functions from an entry to the next one. */

export interface Entry {
  row: number;
  /** 0 is the row's header, 1 the first round. */
  column: number;
}

interface Size {
  rows: number;
  columns: number;
  /** Rows that Page Up and Page Down pass. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Returns the entry that a key moves to; null for other keys. */
export function moved(from: Entry, { key, ctrlKey, metaKey }: Key, { rows, columns, page }: Size): Entry | null {
  const all = ctrlKey || metaKey;
  const to = (row: number, column: number): Entry => ({ row: clamp(row, rows), column: clamp(column, columns) });
  switch (key) {
    case "ArrowUp":
      return to(all ? 0 : from.row - 1, from.column);
    case "ArrowDown":
      return to(all ? rows - 1 : from.row + 1, from.column);
    case "ArrowLeft":
      return to(from.row, all ? 0 : from.column - 1);
    case "ArrowRight":
      return to(from.row, all ? columns - 1 : from.column + 1);
    case "Home":
      return to(all ? 0 : from.row, 0);
    case "End":
      return to(all ? rows - 1 : from.row, columns - 1);
    case "PageUp":
      return to(from.row - page, from.column);
    case "PageDown":
      return to(from.row + page, from.column);
    default:
      return null;
  }
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}
