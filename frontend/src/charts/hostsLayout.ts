/** Layout of the ratios of several hosts: one row per cell, and in it one mark per host. Pure. */
import type { HostMember, HostsTable } from "@/api/generated";
import { formatInterval, formatNumber, formatP, formatRatio } from "@/components/format";
import { VERDICTS } from "@/components/stateLabels";
import { messages } from "@/messages";
import { errorOf, extent, niceDomain, type IntervalMark, type IntervalRow } from "./intervalLayout";
import { marginBand } from "./ratioLayout";

const t = messages("charts");

const LANE = 15;
const PADDING = 12;
/** More marks are not drawn: the table has all of them. */
const MOST = 300;

interface HostsLayout {
  height: number;
  rows: IntervalRow[];
  marks: IntervalMark[];
  domain: [number, number];
  band: [number, number];
  /** The number of cells that are not drawn, because there are too many. */
  hidden: number;
}

/** Returns rows of cells that have a ratio on some host; each host has the same lane in every row. */
export function hostsLayout(table: HostsTable, members: readonly HostMember[], margin: number): HostsLayout {
  const compared = table.rows.filter((row) => row.figures.some(({ ratio }) => ratio !== null));
  const shown = compared.slice(0, Math.max(1, Math.floor(MOST / Math.max(1, members.length))));
  const size = members.length * LANE + PADDING;
  const band = marginBand(margin);
  const figures = shown.flatMap((row) => row.figures.map(({ ratio, interval }) => ({ value: ratio, interval })));
  const domain = niceDomain([...extent(figures), ...band], 1);
  return {
    height: Math.max(1, shown.length) * size,
    rows: shown.map((row, index) => ({ key: row.cell_id, label: row.label, top: index * size, y: (index + 0.5) * size })),
    marks: shown.flatMap((row, index) =>
      row.figures.flatMap((figure, lane): IntervalMark[] => {
        const member = members[lane];
        if (figure.ratio === null || !member) return [];
        return [
          {
            key: `${row.cell_id} ${figure.host}`,
            row: index,
            x: figure.ratio,
            y: index * size + PADDING / 2 + (lane + 0.5) * LANE,
            error: errorOf(figure.ratio, figure.interval, domain),
            color: member.color,
            shape: member.shape,
            title: t("onHost", { cell: row.label, host: figure.host }),
            lines: [
              [t("ratioOwn"), formatRatio(figure.ratio)],
              [t("simultaneous95"), formatInterval(figure.interval, 3)],
              [t("adjustedP"), formatP(figure.p_adjusted)],
              [t("medianIn", { unit: table.unit }), formatNumber(figure.median, table.decimals)],
              [t("n"), String(figure.replicates)],
              ...(figure.verdict ? [[t("verdictLow"), VERDICTS[figure.verdict].word] as const] : []),
            ],
          },
        ];
      }),
    ),
    domain,
    band,
    hidden: compared.length - shown.length,
  };
}

/** The chart as text. */
export function hostsSentence({ label, rows }: HostsTable): string {
  const parts = rows
    .filter((row) => !row.is_baseline)
    .map((row) => `${row.label}: ${row.figures.map(({ host, ratio, interval }) => `${host} ${ratio === null ? t("noRatio") : `${formatRatio(ratio)} (${formatInterval(interval, 3)})`}`).join(", ")}`);
  return t("hostsSentence", { label, parts: parts.join("; ") });
}
