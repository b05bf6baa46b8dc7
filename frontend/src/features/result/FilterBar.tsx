import { Button } from "@/components/Button";
import { formatNumber } from "@/components/format";
import { messages } from "@/messages";
import { NO_FILTER, type CellFilter } from "./filter";
import styles from "./FilterBar.module.css";

const t = messages("result");

interface Props {
  filter: CellFilter;
  onFilter: (filter: CellFilter) => void;
  /** The number of all cells, and of those that match the filter. */
  all: number;
  left: number;
  /** The number of matching cells that the charts draw, and a callback that draws more. */
  drawn: number;
  onMore: () => void;
}

/** With fewer cells than this, the filter is shown only where the address sets it. */
const FEW = 12;

/** The filter of table and charts, with the number of hidden cells. */
export function FilterBar({ filter, onFilter, all, left, drawn, onMore }: Props) {
  const active = filter.text !== "" || filter.clearOnly;
  if (all < FEW && !active) return null;
  return (
    <div className={styles.bar} role="search" aria-label={t("filter")}>
      <input
        type="search"
        aria-label={t("filterBy")}
        placeholder={t("filterBy")}
        value={filter.text}
        spellCheck={false}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <label>
        <input type="checkbox" checked={filter.clearOnly} onChange={(event) => onFilter({ ...filter, clearOnly: event.target.checked })} />
        {t("clearOnly")}
      </label>
      <span aria-live="polite" className={styles.count}>
        {left < all ? t("cellsLeft", { count: left, n: formatNumber(left), hidden: formatNumber(all - left) }) : t("cellsAll", { count: all, n: formatNumber(all) })}
      </span>
      {active && (
        <Button kind="ghost" onClick={() => onFilter(NO_FILTER)}>
          {t("showAll")}
        </Button>
      )}
      {drawn < left && (
        <span className={styles.drawn}>
          {t("drawsFirst", { n: formatNumber(drawn) })}{" "}
          <Button kind="ghost" onClick={onMore}>
            {t("drawMore")}
          </Button>
        </span>
      )}
    </div>
  );
}
