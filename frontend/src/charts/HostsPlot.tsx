import type { HostMember, HostsTable } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatPercent, plural } from "@/components/format";
import { seriesColor, seriesShape } from "@/theme/palette";
import { ChartFrame } from "./ChartFrame";
import { hostsLayout, hostsSentence } from "./hostsLayout";
import { IntervalRows } from "./IntervalRows";
import { Legend } from "./Legend";
import { Symbol } from "./Symbol";

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
    { key: "interval", label: "95 % simultaneous interval of all cells and hosts", sample: <path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} /> },
    { key: "margin", label: `within the margin of ${formatPercent(margin)}`, sample: <rect width={22} height={14} fill="var(--accent)" opacity={0.16} /> },
  ];
  return (
    <ChartFrame
      title="Ratios to each host’s own baseline"
      note={`${figures.label} (${figures.unit}), ${figures.better} is better; one row per cell, one mark per host`}
      sentence={hostsSentence(figures)}
      before={before}
      legend={<Legend items={[...hosts, ...others]} />}
      caption={layout.hidden > 0 ? `${plural(layout.hidden, "more cell")} in the table.` : undefined}
      chart={(width) => layout.marks.length === 0 ? <p>No host has a ratio yet.</p> : <IntervalRows width={width} height={layout.height} rows={layout.rows} marks={layout.marks} domain={layout.domain} rule={1} band={layout.band} />}
      table={table}
      image={image}
    />
  );
}
