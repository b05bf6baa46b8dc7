import { Button } from "@/components/Button";
import { formatNumber, plural } from "@/components/format";
import { NO_FILTER, type CellFilter } from "./filter";
import styles from "./FilterBar.module.css";

interface Props {
  filter: CellFilter;
  onFilter: (filter: CellFilter) => void;
  /** Cells in all, and how many of them the filter leaves. */
  all: number;
  left: number;
  /** How many of those the charts draw, and the way to more. */
  drawn: number;
  onMore: () => void;
}

/** Fewer cells than this need no filter; one that came by a link is shown all the same. */
const FEW = 12;

/** Filters table and charts of a long run, and shows how many cells are hidden. */
export function FilterBar({ filter, onFilter, all, left, drawn, onMore }: Props) {
  const active = filter.text !== "" || filter.clearOnly;
  if (all < FEW && !active) return null;
  return (
    <div className={styles.bar} role="search" aria-label="Filter cells">
      <input
        type="search"
        aria-label="Filter cells by words"
        placeholder="Filter cells: words of label, hop or state"
        value={filter.text}
        spellCheck={false}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <label>
        <input type="checkbox" checked={filter.clearOnly} onChange={(event) => onFilter({ ...filter, clearOnly: event.target.checked })} />
        clear differences only
      </label>
      <span aria-live="polite" className={styles.count}>
        {left < all ? `${formatNumber(all - left)} hidden, ${plural(left, "cell")} shown` : plural(all, "cell")}
      </span>
      {active && (
        <Button kind="ghost" onClick={() => onFilter(NO_FILTER)}>
          Show all
        </Button>
      )}
      {drawn < left && (
        <span className={styles.drawn}>
          The charts draw the first {formatNumber(drawn)}.{" "}
          <Button kind="ghost" onClick={onMore}>
            Draw more
          </Button>
        </span>
      )}
    </div>
  );
}
