import { memo, useCallback, useSyncExternalStore } from "react";
import { formatNumber } from "@/components/format";
import { rateNamed } from "@/components/rates";
import { messages } from "@/messages";
import styles from "./Matrix.module.css";
import { matrixState } from "./matrixStates";
import type { MatrixRow, MatrixStore } from "./matrixStore";

const t = messages("runs");

interface Props {
  store: MatrixStore;
  at: number;
  top: number;
  /** The column of the active entry; null where another row has it. */
  active: number | null;
  selected: boolean;
  gridId: string;
}

/** The id of an entry, for aria-activedescendant. */
export function entryId(gridId: string, row: number, column: number): string {
  return `${gridId}-${row}-${column}`;
}

/** A trial in words: "done, 14,210 tps". */
export function describeEntry(row: MatrixRow, round: number): string {
  const { word } = matrixState(row.states[round] ?? "-");
  const value = row.rates[round];
  const rate = rateNamed(row.cell.metric);
  if (value === null || value === undefined || !rate) return word;
  return t("matrixEntry", { state: word, rate: `${formatNumber(value, rate.decimals)} ${rate.short}` });
}

/** One row. It is rendered again only if its own trials, its selection or its active entry change. */
export const MatrixRowView = memo(function MatrixRowView({ store, at, top, active, selected, gridId }: Props) {
  const subscribe = useCallback((listener: () => void) => store.subscribeRow(at, listener), [store, at]);
  const row = useSyncExternalStore(subscribe, () => store.row(at));
  if (!row) return null;
  const { cell, states } = row;
  const name = cell.label.toLowerCase() === cell.path.replaceAll("_", " ") ? null : cell.path;
  return (
    <div role="row" aria-rowindex={at + 2} aria-selected={selected} className={styles.row} style={{ transform: `translateY(${top}px)` }} data-row={at}>
      <div role="rowheader" id={entryId(gridId, at, 0)} className={styles.header} data-active={active === 0 || undefined} data-column={0} title={cell.infeasible ?? cell.label}>
        <span className={styles.mark} aria-hidden="true">{selected ? "☑" : ""}</span>
        <span className={styles.label}>
          {cell.label} {name !== null && <code>{name}</code>}
        </span>
      </div>
      {states === "" ? (
        <div role="gridcell" id={entryId(gridId, at, 1)} aria-colspan={store.rounds} className={styles.none} data-active={(active ?? 0) > 0 || undefined} data-column={1}>
          <span aria-hidden="true">{matrixState("-").glyph}</span> {matrixState("-").word}
        </div>
      ) : (
        [...states].map((code, round) => {
          const { glyph, tone } = matrixState(code);
          return (
            <div key={round} role="gridcell" id={entryId(gridId, at, round + 1)} aria-colindex={round + 2} aria-label={describeEntry(row, round)} className={styles.entry} data-tone={tone} data-active={active === round + 1 || undefined} data-column={round + 1}>
              <span aria-hidden="true">{glyph}</span>
            </div>
          );
        })
      )}
    </div>
  );
});
