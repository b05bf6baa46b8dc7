import type { CellNotice, ChartCell, Comparison } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import { NoticeList } from "@/components/NoticeList";
import { catalogName, serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./ResultTable.module.css";

const t = messages("result");

/** The verdict in a metric and, in short, in the others; the round in which it was decided, and the warnings of the cell. */
export function CellVerdict({ cell, comparison, metric }: { cell: ChartCell; comparison: Comparison | null; metric: string }) {
  return (
    <span className={styles.value}>
      {comparison ? <State label={VERDICTS[comparison.verdict]}>{serverText(comparison.sentence, comparison.message)}</State> : <NotCompared baseline={cell.is_baseline && !cell.is_duplicate} />}
      <OtherVerdicts cell={cell} metric={metric} />
      {comparison?.server && <span className={styles.decided}>{t(comparison.server === "shared" ? "serverShared" : "serverOwn")}</span>}
      {cell.decided_at !== null && <span className={styles.decided}>{t("decidedAfter", { count: cell.decided_at, n: formatNumber(cell.decided_at) })}</span>}
      <CellWarnings reason={cell.reason === null ? null : serverText(cell.reason, cell.reason_message)} notices={cell.notices ?? []} />
    </span>
  );
}

/** The verdicts in the other metrics of the run: each with its sign, and its sentence on request. */
function OtherVerdicts({ cell, metric }: { cell: ChartCell; metric: string }) {
  const others = Object.entries(cell.comparisons).filter(([name]) => name !== metric);
  if (others.length === 0) return null;
  return (
    <details className={styles.warnings}>
      <summary>{others.map(([name, { verdict }]) => `${VERDICTS[verdict].glyph} ${name}`).join(", ")}</summary>
      <ul>
        {others.map(([name, found]) => (
          <li key={name}>
            <code>{name}</code>: {serverText(found.sentence, found.message)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** In place of a comparison: the cell is the baseline, or has none yet. */
function NotCompared({ baseline }: { baseline: boolean }) {
  return <span className={styles.quiet}>{t(baseline ? "baselineOf" : "notCompared")}</span>;
}

/** The warnings of a cell, folded: the page also lists them by kind. */
function CellWarnings({ reason, notices }: { reason: string | null; notices: readonly CellNotice[] }) {
  const [first] = notices;
  return (
    <>
      {reason && <span className={styles.warning}>⚠ {reason}</span>}
      {first && (
        <details className={styles.warnings}>
          <summary>⚠ {notices.length === 1 ? catalogName("notice", first.kind, first.kind) : t("warningsCount", { count: notices.length, n: formatNumber(notices.length) })}</summary>
          <NoticeList notices={notices} label={t("warningsOfCell")} />
        </details>
      )}
    </>
  );
}
