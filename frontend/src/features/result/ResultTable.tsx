import { memo, useState } from "react";
import { Link } from "react-router";
import type { Axis, ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { CopyButton } from "@/components/CopyButton";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { Hops } from "@/components/Hops";
import { familyOf, intervalName } from "@/components/intervals";
import { metricLabel } from "@/components/metricLabels";
import { Select } from "@/components/Select";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { CELL_STATES } from "@/components/stateLabels";
import { Toggle } from "@/components/Toggle";
import { seriesColor, seriesShape } from "@/theme/palette";
import { Symbol } from "@/charts/Symbol";
import { serverText } from "@/components/serverText";
import { messages } from "@/messages";
import styles from "./ResultTable.module.css";
import { firstRows, shownCells, type CellFilter } from "./filter";
import { CellVerdict } from "./CellVerdict";
import { tableAxis } from "./resultChoice";
import { hasVariation, publishedRatio, publishedValue, resultGroups, resultMarkdown, type Order, type ResultRow } from "./tableRows";
import type { Choose } from "./useResultChoice";

const t = messages("result");

const ORDERS = [
  { value: "plan", label: "orderPlan" },
  { value: "effect", label: "orderEffect" },
  { value: "noise", label: "orderNoise" },
] as const;

/** More rows than this at once are slow to draw. */
const ROWS = 150;

interface Props {
  model: ChartModel;
  filter: CellFilter;
  /** The metric, where it is not the first. */
  metric: string | null;
  order: Order;
  choose: Choose;
  cellHref?: (cellId: string) => string;
}

/** The table of all cells: the figures of each, or the reason why it has none. */
export const ResultTable = memo(function ResultTable({ model, filter, metric, order: chosenOrder, choose, cellHref }: Props) {
  const [most, setMost] = useState(ROWS);
  const [unadjusted, setUnadjusted] = useState(false);
  const axis = tableAxis(model, metric);
  if (!axis) return null;
  const orders = ORDERS.filter(({ value }) => value !== "noise" || hasVariation(model, axis)).map(({ value, label }) => ({ value, label: t(label) }));
  const order = orders.find(({ value }) => value === chosenOrder)?.value ?? "plan";
  const published = model.cells.some((cell) => publishedValue(cell, axis) !== null);
  const shown = new Set(shownCells(model, axis.metric, filter).map((cell) => cell.id));
  const groups = resultGroups(model, axis, order).map(({ group, rows }) => ({ group, rows: rows.filter((row) => shown.has(row.cell.id)) }));
  const hidden = model.cells.length - shown.size;
  const ratios = intervalName(familyOf(model, axis.metric), model.interim_analyses !== null);
  return (
    <Card
      title={t("allCells")}
      note={[t(axis.better === "higher" ? "tableNoteHigher" : "tableNoteLower", { label: metricLabel(axis), unit: axis.unit, ratios }), unadjusted && t("tableUnadjusted"), hidden > 0 && t("tableHidden", { count: model.cells.length, n: formatNumber(model.cells.length), hidden: formatNumber(hidden) })].filter(Boolean).join(" ")}
      flush
      actions={
        <>
          <Select label={t("metricOfTable")} options={model.axes.map((each) => ({ value: each.metric, label: metricLabel(each) }))} value={axis.metric} onChange={(chosen) => choose((known) => ({ ...known, metric: chosen }))} />
          <Toggle label={t("order")} options={orders} value={order} onChange={(chosen) => choose((known) => ({ ...known, order: chosen }))} />
          <label className={styles.own}>
            <input type="checkbox" checked={unadjusted} onChange={(event) => setUnadjusted(event.target.checked)} /> {t("showUnadjusted")}
          </label>
          <CopyButton text={resultMarkdown(model, axis, order)} label={t("copyMarkdown")} />
        </>
      }
    >
      <div className={styles.scroll} role="region" aria-label={t("allCells")} tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">{t("tableCaption", { label: metricLabel(axis) })}</caption>
          <Head axis={axis} published={published} ratios={ratios} />
          {firstRows(groups, most).map(({ group, rows, all }) => (
            <tbody key={group}>
              {group && (
                <tr className={styles.group}>
                  <th scope="rowgroup" colSpan={published ? 9 : 8}>
                    {group} <span className={styles.quiet}>{t("cellsAll", { count: all, n: formatNumber(all) })}</span>
                  </th>
                </tr>
              )}
              {rows.map((row) => (
                <Line key={row.cell.id} row={row} axis={axis} unadjusted={unadjusted} published={published ? { value: publishedValue(row.cell, axis), ratio: publishedRatio(model, row.cell, axis) } : null} cellHref={cellHref} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <ShowMore shown={most} all={shown.size} step={ROWS} item="cell" onMore={() => setMost(most + ROWS)} />
    </Card>
  );
});

function Head({ axis, published, ratios }: { axis: Axis; published: boolean; ratios: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{t("cell")}</th>
        <th scope="col" data-num>{t("n")}</th>
        <th scope="col" data-num>{t("medianUnit", { unit: axis.unit })}<small>{t("interval95")}</small></th>
        <th scope="col" data-num title={t("cvTitle")}>{t("cv")}</th>
        <th scope="col" data-num>{t("ratioToBaseline")}<small>{ratios}</small></th>
        {published && <th scope="col" data-num>{t("published")}<small>{t("publishedUnit", { unit: axis.unit })}</small></th>}
        <th scope="col" data-num>p<small>{t("adjusted")}</small></th>
        <th scope="col">{t("verdict")}</th>
        <th scope="col">{t("evidence")}</th>
      </tr>
    </thead>
  );
}

interface LineProps {
  row: ResultRow;
  axis: Axis;
  /** Whether to show the unadjusted interval of each comparison. */
  unadjusted: boolean;
  /** The study's figures; null where it has none of this metric. */
  published: { value: number | null; ratio: number | null } | null;
  cellHref: Props["cellHref"];
}

/** One cell; rendered again only if the cell itself has changed, however many others have. */
const Line = memo(function Line({ row, axis, unadjusted, published, cellHref }: LineProps) {
  const { cell, summary } = row;
  return (
    <tr data-state={cell.state} data-baseline={cell.is_baseline || undefined}>
      <th scope="row">
        <span className={styles.cell}>
          <svg width={14} height={14} aria-hidden="true">
            <Symbol shape={seriesShape(cell.shape)} cx={7} cy={7} size={9} fill={seriesColor(cell.color)} stroke={seriesColor(cell.color)} opacity={summary ? 0.6 : 0} />
          </svg>
          <span>
            {cellHref ? <Link to={cellHref(cell.id)}>{cell.label}</Link> : cell.label}
            {cell.is_baseline && !cell.is_duplicate && <span className={styles.tag}>{t("baseline")}</span>}
            {cell.is_duplicate && <span className={styles.tag}>A/A</span>}
            <PathOf cell={cell} />
            <Hops hops={cell.hops} />
          </span>
        </span>
      </th>
      {summary ? <Figures row={row} axis={axis} unadjusted={unadjusted} published={published} /> : <NoFigures row={row} columns={published ? 7 : 6} />}
      <td data-label={t("evidence")}>
        <span className={styles.evidence} data-full={(cell.evidence.proven > 0 && cell.evidence.not_proven + cell.evidence.contradicted === 0) || undefined}>
          {row.evidence} {row.evidence !== "–" && <small>{t("provenOf")}</small>}
        </span>
      </td>
    </tr>
  );
}, isSameLine);

function isSameLine(before: LineProps, after: LineProps): boolean {
  return (
    before.row.cell === after.row.cell &&
    before.unadjusted === after.unadjusted &&
    before.cellHref === after.cellHref &&
    (["metric", "unit", "decimals"] as const).every((field) => before.axis[field] === after.axis[field]) &&
    before.published?.value === after.published?.value &&
    before.published?.ratio === after.published?.ratio
  );
}

/** The name of the cell's path in files and addresses, after the label, which has its title. */
function PathOf({ cell }: { cell: ResultRow["cell"] }) {
  const name = cell.levels["path"];
  return name === undefined || cell.label.includes(String(name)) ? null : <code className={styles.path}>{String(name)}</code>;
}

function NoFigures({ row: { cell, label }, columns }: { row: ResultRow; columns: number }) {
  return (
    <td colSpan={columns} className={styles.none}>
      <State label={label}>
        <strong>{label.word}</strong>
        {cell.reason && <span className={styles.reason}>{serverText(cell.reason, cell.reason_message)}</span>}
      </State>
    </td>
  );
}

function Value({ main, sub }: { main: React.ReactNode; sub?: React.ReactNode }) {
  return (
    <span className={styles.value}>
      {main}
      {sub && <small>{sub}</small>}
    </span>
  );
}

function Figures({ row: { cell, summary, comparison }, axis, unadjusted, published }: Omit<LineProps, "cellHref">) {
  const base = cell.is_baseline && !cell.is_duplicate;
  const missing = cell.state === "measured" ? null : <span title={CELL_STATES[cell.state].word}>{t("ofPlanned", { glyph: CELL_STATES[cell.state].glyph, n: formatNumber(cell.trials_planned) })}</span>;
  return (
    <>
      <td data-num data-label={t("n")}>
        <Value main={summary?.n} sub={missing} />
      </td>
      <td data-num data-label={t("medianUnit", { unit: axis.unit })}>
        <Value main={<strong>{formatNumber(summary?.median, axis.decimals)}</strong>} sub={summary?.interval && formatInterval(summary.interval, axis.decimals)} />
      </td>
      <td data-num data-label={t("cv")}>
        <Value main={summary?.cv_percent == null ? "–" : `${formatNumber(summary.cv_percent, 1)} %`} />
      </td>
      <td data-num data-label={t("ratioToBaseline")}>
        <Value main={base ? <span className={styles.quiet}>1</span> : formatEffect(comparison)} sub={formatEffectInterval(comparison)} />
        {unadjusted && comparison?.interval_unadjusted && <small>{t("unadjustedValue", { interval: formatInterval(comparison.interval_unadjusted, 3) })}</small>}
      </td>
      {published && (
        <td data-num data-label={t("publishedRatio")}>
          <Value main={formatRatio(published.ratio)} sub={published.value !== null && formatNumber(published.value, axis.decimals)} />
        </td>
      )}
      <td data-num data-label={t("pBoth")}>
        <Value main={formatP(comparison?.p)} sub={comparison && formatP(comparison.p_adjusted)} />
      </td>
      <td data-label={t("verdict")} className={styles.verdict} title={comparison ? t("methodOf", { method: comparison.method, n: formatNumber(comparison.n) }) : undefined}>
        <CellVerdict cell={cell} comparison={comparison} metric={axis.metric} />
      </td>
    </>
  );
}
