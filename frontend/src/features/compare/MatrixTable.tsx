import { useState } from "react";
import { Link } from "react-router";
import type { ComparisonMatrix, MatrixColumn, MatrixEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP } from "@/components/format";
import { State } from "@/components/State";
import { OUTCOMES, VERDICTS } from "@/components/stateLabels";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { messages } from "@/messages";
import styles from "./MatrixView.module.css";

const t = messages("compare");

/** Entries that are drawn at once. */
const ENTRIES = 600;

/** The matrix: rows of matching cells, a column for each run, each entry with its ratio to the reference. */
export function MatrixTable({ model }: { model: ComparisonMatrix }) {
  const step = Math.max(10, Math.floor(ENTRIES / model.columns.length));
  const [most, setMost] = useState(step);
  const left = model.rows.length - most;
  return (
    <TableScroll label={t("matrix")} folding>
      <table className={`${table.table} ${table.fold} ${styles.matrix}`}>
        <caption className={styles.caption}>{caption(model)}</caption>
        <thead>
          <tr>
            <th scope="col">{t("cell")}</th>
            {model.columns.map((column) => (
              <th key={column.letter} scope="col">
                <Head column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.rows.slice(0, most).map((row, index) => (
            <tr key={`${index} ${row.label}`}>
              <th scope="row">
                {model.columns[0]?.cell_id === null ? row.label : t("chosenCells")}
                {row.is_baseline && <span className={table.quiet}> {t("baseline")}</span>}
              </th>
              {row.entries.map((entry, at) => (
                <td key={at} data-label={model.columns[at]!.letter} data-verdict={entry?.verdict ?? undefined}>
                  <Entry entry={entry} column={model.columns[at]!} model={model} reference={row.entries[model.reference] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p className={styles.more}>
          {t("rowsShown", { shown: formatNumber(most), all: formatNumber(model.rows.length) })} <Button onClick={() => setMost(most + step)}>{t("showMore", { count: Math.min(step, left) })}</Button>
        </p>
      )}
    </TableScroll>
  );
}

/** What the figures and their intervals are. */
function caption(model: ComparisonMatrix): string {
  const values = { metric: model.label, unit: model.unit, reference: model.columns[model.reference]!.letter, count: model.family };
  return model.basis === "ratios" ? t("captionRatios", values) : t("captionValues", values);
}

function Head({ column }: { column: MatrixColumn }) {
  return (
    <>
      <b>{column.is_reference ? t("columnReference", { column: column.letter }) : column.letter}</b>
      <Link className={styles.small} to={column.cell_id === null ? `/runs/${column.run_id}` : `/runs/${column.run_id}/cells/${column.cell_id}`}>
        <bdi>{column.cell_label ?? column.title}</bdi>
      </Link>
      <span className={styles.small}>{column.host}</span>
    </>
  );
}

interface EntryProps {
  entry: MatrixEntry | null;
  column: MatrixColumn;
  model: ComparisonMatrix;
  reference: MatrixEntry | null;
}

function Entry({ entry, column, model, reference }: EntryProps) {
  if (entry === null) return <span className={table.quiet}>{column.refused ? t("columnRefused") : t("notInThisRun")}</span>;
  const ratios = model.basis === "ratios";
  const own = { ratio: entry.own_ratio, interval: entry.own_ratio_interval, difference: entry.own_difference };
  const { median: value, median_interval: interval } = entry;
  const { decimals } = model;
  return (
    <>
      <span className={styles.value}>{ratios ? formatEffect(own) : formatNumber(value, decimals)}</span>
      <small className={styles.small}>
        {(ratios ? formatEffectInterval(own) : interval && formatInterval(interval, decimals)) || t("noInterval")}, n {entry.n}
      </small>
      {!column.is_reference && <Compared entry={entry} reference={reference} name={model.columns[model.reference]!.letter} />}
    </>
  );
}

/** The ratio to the reference with its verdict, or why there is none. */
function Compared({ entry, reference, name }: { entry: MatrixEntry; reference: MatrixEntry | null; name: string }) {
  if (reference === null) return <small className={styles.small}>{t("referenceHasNone", { reference: name })}</small>;
  const judged = entry.judged || (entry.difference ? entry.difference.interval : entry.interval) === null;
  return (
    <div className={styles.compared}>
      {(entry.ratio !== null || entry.difference) && (
        <>
          <b>{formatEffect(entry)}</b> <small>{formatEffectInterval(entry)}</small>
        </>
      )}
      {entry.verdict && <State label={judged ? VERDICTS[entry.verdict] : OUTCOMES.no_answer}>{judged ? undefined : t("notJudged")}</State>}
      {entry.p_adjusted !== null && <small className={styles.small}>{t("adjustedP", { p: formatP(entry.p_adjusted) })}</small>}
      {entry.verdict === "undefined" && entry.sentence && <small className={styles.small}>{entry.sentence}</small>}
    </div>
  );
}
