import { Link } from "react-router";
import type { Axis } from "@/api/generated";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { State } from "@/components/State";
import { seriesColor, seriesShape } from "@/theme/palette";
import { Symbol } from "@/charts/Symbol";
import { messages } from "@/messages";
import styles from "./Pivot.module.css";
import { factorName, type PivotChoice } from "./pivotChoice";
import type { Pivot, PivotEntry, PivotPanel, Tint } from "./pivotLayout";

const t = messages("charts");

interface Props {
  found: Pivot;
  choice: PivotChoice;
  axis: Axis;
  cellHref?: (cellId: string) => string;
}

/** The heat map: one table per panel, with figures on coloured cells. */
export function PivotTable(props: Props) {
  return (
    <div className={styles.panels}>
      {props.found.panels.map((panel) => (
        <PanelTable key={panel.level ?? ""} panel={panel} {...props} />
      ))}
    </div>
  );
}

function PanelTable({ panel, found, choice, axis, cellHref }: Props & { panel: PivotPanel }) {
  const [first, second] = [choice.rows, choice.columns].filter((each) => each !== null).map(factorName);
  const factors = first === undefined ? t("cellLow") : second === undefined ? first : t("andFactors", { a: first, b: second });
  const name = t(panel.title ? "pivotByIn" : "pivotBy", { label: metricLabel(axis), factors, panel: panel.title });
  return (
    <section className={styles.panel}>
      {panel.title && <h3>{panel.title}</h3>}
      <div className={styles.scroll} role="region" aria-label={name} tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">{name}</caption>
          <thead>
            <tr>
              <th scope="col">{choice.rows === null ? "" : factorName(choice.rows)}</th>
              {found.columns.map((column) => (
                <th key={column} scope="col">
                  {choice.columns === null ? metricLabel(axis) : <><small>{factorName(choice.columns)}</small> {column}</>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {panel.entries.map((line, row) => (
              <tr key={found.rows[row]}>
                <th scope="row">{found.rows[row] || t("all")}</th>
                {line.map((entries, column) => (
                  <td key={found.columns[column]} data-empty={entries.length === 0 || undefined}>
                    {entries.length === 0 ? <span className={styles.absent}>{t("notInPlan")}</span> : entries.map((entry) => <Entry key={entry.cell.id} entry={entry} axis={axis} many={found.legend.length > 0} cellHref={cellHref} />)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A cell's figures, or its state where it has none. */
function Entry({ entry, axis, many, cellHref }: { entry: PivotEntry; axis: Axis; many: boolean; cellHref: Props["cellHref"] }) {
  const { cell, summary, comparison, label, name } = entry;
  const text = summary ? (
    <>
      <b>{formatNumber(summary.median, axis.decimals)}</b>
      <State label={label} glyphOnly />
      <small>
        {comparison ? `${formatEffect(comparison)} (${formatEffectInterval(comparison) || "–"})` : label.word}
      </small>
    </>
  ) : (
    <State label={label} />
  );
  return (
    <div className={styles.entry} data-state={cell.state} data-tint={entry.tint.kind} style={background(entry.tint)} title={[cell.label, comparison?.sentence, cell.reason].filter(Boolean).join(": ")}>
      {name && (
        <span className={styles.name}>
          {many && (
            <svg width={10} height={10} aria-hidden="true">
              <Symbol shape={seriesShape(entry.shape)} cx={5} cy={5} size={8} fill={seriesColor(entry.color)} stroke={seriesColor(entry.color)} />
            </svg>
          )}
          {name}
        </span>
      )}
      {cellHref ? <Link to={cellHref(cell.id)}>{text}</Link> : <span>{text}</span>}
    </div>
  );
}

/** The weakest and the strongest colour in per cent; text has a contrast of 7:1 on both. */
const WEAK = 8;
const STRONG = 34;

function background(tint: Tint): React.CSSProperties | undefined {
  const mix = (color: string, strength: number) => ({ background: `color-mix(in srgb, ${color} ${(WEAK + (STRONG - WEAK) * strength).toFixed(1)}%, var(--surface))` });
  switch (tint.kind) {
    case "better":
      return mix("var(--series-0)", tint.strength);
    case "worse":
      return mix("var(--series-1)", tint.strength);
    case "value":
      return mix("var(--series-0)", tint.strength);
    case "grey":
      return { background: "var(--surface-3)" };
    case "base":
    case "none":
      return undefined;
  }
}
