import { useState } from "react";
import type { ImageHref } from "@/api/exports";
import { Card } from "@/components/Card";
import { ImageLinks } from "@/components/ImageLinks";
import { Toggle } from "@/components/Toggle";
import folding from "@/components/table.module.css";
import { useWidth } from "@/components/useWidth";
import styles from "./ChartFrame.module.css";

interface Props {
  title: string;
  note?: React.ReactNode;
  /** The figures as text, for screen readers. */
  sentence: string;
  /** Controls of both chart and table. */
  before?: React.ReactNode;
  controls?: React.ReactNode;
  legend?: React.ReactNode;
  caption?: React.ReactNode;
  chart: (width: number) => React.ReactNode;
  table: React.ReactNode;
  /** The address of the chart as an image. */
  image?: ImageHref | undefined;
  /** Shown below both chart and table. */
  below?: React.ReactNode;
}

const VIEWS = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
] as const;

/** A chart with title, legend, caption and links to images, or the same figures as a table. */
export function ChartFrame({ title, note, sentence, before, controls, legend, caption, chart, table, image, below }: Props) {
  const [view, setView] = useState<"chart" | "table">("chart");
  const [ref, width] = useWidth(720);
  return (
    <Card
      title={title}
      note={note}
      actions={
        <>
          {before}
          {view === "chart" && controls}
          <Toggle label={`${title}: chart or table`} options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      {view === "chart" && legend}
      <div ref={ref} className={styles.plot}>
        {view === "chart" ? (
          <div role="img" aria-label={sentence}>
            {chart(width)}
          </div>
        ) : (
          <div className={`${styles.table} ${folding.folding}`} role="region" aria-label={`${title}: table`} tabIndex={0}>
            {table}
          </div>
        )}
      </div>
      {view === "chart" && caption && <p className={styles.caption}>{caption}</p>}
      {view === "chart" && image && <ImageLinks title={title} href={image} />}
      {below}
    </Card>
  );
}
