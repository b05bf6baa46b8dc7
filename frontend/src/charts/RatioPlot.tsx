import type { RunComparisonTable } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatPercent, plural } from "@/components/format";
import { ChartFrame } from "./ChartFrame";
import { IntervalRows } from "./IntervalRows";
import { Legend } from "./Legend";
import { ratioLayout, ratioSentence } from "./ratioLayout";

interface Props {
  cross: RunComparisonTable;
  margin: number;
  image?: ImageHref | undefined;
  /** The same figures as a table. */
  table: React.ReactNode;
}

/** A chart of each cell's ratio of run B to run A. */
export function RatioPlot({ cross, margin, image, table }: Props) {
  const layout = ratioLayout(cross, margin);
  if (layout.marks.length === 0) return null;
  return (
    <ChartFrame
      title="Ratios, B to A"
      note={`${cross.label} (${cross.unit}), ${cross.better} is better; one row per cell that both runs have`}
      sentence={ratioSentence(cross)}
      legend={
        <Legend
          items={[
            { key: "ratio", label: "ratio and its 95 % interval", sample: <><path d="M1 7H21M1 4V10M21 4V10" stroke="var(--ink)" strokeWidth={1.5} /><circle cx={11} cy={7} r={4} fill="var(--series-0)" /></> },
            { key: "margin", label: `within the margin of ${formatPercent(margin)}`, sample: <rect width={22} height={14} fill="var(--accent)" opacity={0.16} /> },
          ]}
        />
      }
      caption={layout.hidden > 0 ? `${plural(layout.hidden, "more cell")} in the table.` : undefined}
      chart={(width) => <IntervalRows width={width} height={layout.height} rows={layout.rows} marks={layout.marks} domain={layout.domain} rule={1} band={layout.band} />}
      table={table}
      image={image}
    />
  );
}
