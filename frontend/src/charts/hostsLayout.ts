/** Layout of the ratios of several hosts: one row per cell, and in it one mark per host. Pure. */
import type { HostFigure, HostMember, HostsRow, HostsTable } from "@/api/generated";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatNumber, formatP } from "@/components/format";
import { VERDICTS } from "@/components/stateLabels";
import { messages } from "@/messages";
import { effectPanels, type EffectMark, type EffectPanel } from "./effectPanels";

const t = messages("charts");

const LANE = 15;
const PADDING = 12;
/** More marks are not drawn: the table has all of them. */
const MOST = 300;

interface HostsLayout {
  panels: EffectPanel[];
  /** The number of cells that are not drawn, because there are too many. */
  hidden: number;
}

/** Returns rows of cells that are compared on some host; each host has the same lane in every row. */
export function hostsLayout(table: HostsTable, members: readonly HostMember[], margin: number): HostsLayout {
  const compared = table.rows.filter((row) => row.figures.some(isCompared));
  const shown = compared.slice(0, Math.max(1, Math.floor(MOST / Math.max(1, members.length))));
  const rows = shown.map((row) => ({
    key: row.cell_id,
    label: row.label,
    marks: row.figures.flatMap((figure, lane) => {
      const member = members[lane];
      return isCompared(figure) && member ? [markOf(row, figure, member, lane, table)] : [];
    }),
  }));
  return { panels: effectPanels(rows, members.length * LANE + PADDING, margin), hidden: compared.length - shown.length };
}

function isCompared({ ratio, difference }: HostFigure): boolean {
  return ratio !== null || Boolean(difference);
}

function markOf(row: HostsRow, figure: HostFigure, member: HostMember, lane: number, table: HostsTable): EffectMark {
  return {
    key: `${row.cell_id} ${figure.host}`,
    below: PADDING / 2 + (lane + 0.5) * LANE,
    ratio: figure.ratio,
    interval: figure.interval,
    difference: figure.difference,
    color: member.color,
    shape: member.shape,
    title: t("onHost", { cell: row.label, host: figure.host }),
    lines: [
      [t(figure.difference ? "differenceOwn" : "ratioOwn"), formatEffect(figure)],
      [t("simultaneous95"), formatEffectInterval(figure)],
      [t("adjustedP"), formatP(figure.p_adjusted)],
      [t("medianIn", { unit: table.unit }), formatNumber(figure.median, table.decimals)],
      [t("n"), String(figure.replicates)],
      ...(figure.verdict ? [[t("verdictLow"), VERDICTS[figure.verdict].word] as const] : []),
    ],
  };
}

/** The chart as text. */
export function hostsSentence({ label, rows }: HostsTable): string {
  const parts = rows
    .filter((row) => !row.is_baseline)
    .map((row) => `${row.label}: ${row.figures.map((figure) => `${figure.host} ${isCompared(figure) ? `${formatEffect(figure)} (${formatEffectInterval(figure)})` : t("noRatio")}`).join(", ")}`);
  return t("hostsSentence", { label, parts: parts.join("; ") });
}
