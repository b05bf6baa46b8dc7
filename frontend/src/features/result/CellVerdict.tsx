import type { CellNotice, ChartCell, Comparison } from "@/api/generated";
import { plural } from "@/components/format";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import { NoticeList } from "@/components/NoticeList";
import { catalogName, serverText } from "@/components/serverText";
import styles from "./ResultTable.module.css";

const SERVER_SCOPE: Record<NonNullable<Comparison["server"]>, string> = { shared: "within one server, n counts rounds", own: "across servers, n counts their starts" };

/** The verdict of a comparison, the round in which it was decided, and the warnings of the cell. */
export function CellVerdict({ cell, comparison }: { cell: ChartCell; comparison: Comparison | null }) {
  return (
    <span className={styles.value}>
      {comparison ? <State label={VERDICTS[comparison.verdict]}>{serverText(comparison.sentence, comparison.message)}</State> : <NotCompared baseline={cell.is_baseline && !cell.is_duplicate} />}
      {comparison?.server && <span className={styles.decided}>{SERVER_SCOPE[comparison.server]}</span>}
      {cell.decided_at !== null && <span className={styles.decided}>decided after {plural(cell.decided_at, "round")}</span>}
      <CellWarnings reason={cell.reason && serverText(cell.reason, cell.reason_message)} notices={cell.notices ?? []} />
    </span>
  );
}

/** In place of a comparison: the cell is the baseline, or has none yet. */
function NotCompared({ baseline }: { baseline: boolean }) {
  return <span className={styles.quiet}>{baseline ? "baseline of the comparisons" : "not compared yet"}</span>;
}

/** The warnings of a cell, folded: the page also lists them by kind. */
function CellWarnings({ reason, notices }: { reason: string | null; notices: readonly CellNotice[] }) {
  const [first] = notices;
  return (
    <>
      {reason && <span className={styles.warning}>⚠ {reason}</span>}
      {first && (
        <details className={styles.warnings}>
          <summary>⚠ {notices.length === 1 ? catalogName("notice", first.kind, first.kind) : `${notices.length} warnings`}</summary>
          <NoticeList notices={notices} label="Warnings of this cell" />
        </details>
      )}
    </>
  );
}
