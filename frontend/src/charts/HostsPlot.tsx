import type { HostMember, HostsTable } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatNumber, formatPercent } from "@/components/format";
import { seriesColor, seriesShape } from "@/theme/palette";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import { hostsLayout, hostsSentence } from "./hostsLayout";
import { panelMarks } from "./effectPanels";
import { EffectRows } from "./EffectRows";
import { Legend } from "./Legend";
import { Symbol } from "./Symbol";

const t = messages("charts");

interface Props {
  figures: HostsTable;
  members: readonly HostMember[];
  margin: number;
  image?: ImageHref | undefined;
  /** The choice of a metric. */
  before?: React.ReactNode;
  /** The same figures as a table. */
  table: React.ReactNode;
}

/** A chart of each cell's ratio to its own baseline, with the hosts side by side. */
export function HostsPlot({ figures, members, margin, image, before, table }: Props) {
  const layout = hostsLayout(figures, members, margin);
  const hosts = members.map(({ host, color, shape }) => ({
    key: host,
    label: host,
    sample: <Symbol shape={seriesShape(shape)} cx={11} cy={7} size={9} fill={seriesColor(color)} stroke={seriesColor(color)} />,
  }));
  const others = [
    { key: "interval", label: t("hostsInterval"), sample: <path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} /> },
    { key: "margin", label: t("legendMargin", { margin: formatPercent(margin) }), sample: <rect width={22} height={14} fill="var(--accent)" opacity={0.16} /> },
  ];
  return (
    <ChartFrame
      title={t("hostsTitle")}
      note={t("hostsNote", { label: figures.label, unit: figures.unit, better: t(figures.better === "higher" ? "higherBetter" : "lowerBetter") })}
      sentence={hostsSentence(figures)}
      before={before}
      legend={<Legend items={[...hosts, ...others]} />}
      caption={layout.hidden > 0 ? t("cellsInTable", { count: layout.hidden, n: formatNumber(layout.hidden) }) : undefined}
      marks={panelMarks(layout.panels)}
      chart={(width, active) => layout.panels.length === 0 ? <p>{t("noHostRatio")}</p> : <EffectRows panels={layout.panels} width={width} active={active} axis="differenceOwn" />}
      table={table}
      image={image}
    />
  );
}
