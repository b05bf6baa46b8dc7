import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ImageHref } from "@/api/exports";
import { Card } from "@/components/Card";
import { Toggle } from "@/components/Toggle";
import folding from "@/components/table.module.css";
import { useWidth } from "@/components/useWidth";
import { messages } from "@/messages";
import styles from "./ChartFrame.module.css";
import { ChartMarks, type ChartMark } from "./frame/ChartMarks";
import { ChartMenu } from "./frame/ChartMenu";
import { Reading } from "./frame/Reading";

const t = messages("charts");

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
  /** Draws the chart; `active` is the key of the mark that the keyboard is on. */
  chart: (width: number, active: string | null) => React.ReactNode;
  table: React.ReactNode;
  /** The marks in the order in which arrow keys move through them. */
  marks?: readonly ChartMark[];
  /** How to read the chart, and the anchor of the help about it. */
  reading?: { text: string; anchor: string };
  /** The address of the chart as an image, which its menu offers. */
  image?: ImageHref | undefined;
  /** Shown below both chart and table. */
  below?: React.ReactNode;
}

/** A chart with title, legend, caption and menu, or the same figures as a table. */
export function ChartFrame({ title, note, sentence, before, controls, legend, caption, chart, table, marks = [], reading, image, below }: Props) {
  const [view, setView] = useState<"chart" | "table">("chart");
  const [active, setActive] = useState<number | null>(null);
  const [isRead, setRead] = useState(false);
  const text = useRef<HTMLDivElement>(null);
  const [ref, width] = useWidth(720);
  const views = [
    { value: "chart", label: t("chart") },
    { value: "table", label: t("table") },
  ] as const;
  /** Renders the table for a moment, where it is not shown. */
  const tableElement = () => {
    flushSync(() => setRead(true));
    const copy = text.current?.cloneNode(true) as HTMLElement | undefined;
    setRead(false);
    return copy ?? null;
  };
  return (
    <Card
      title={title}
      note={note}
      actions={
        <>
          {before}
          {view === "chart" && controls}
          <Toggle label={t("chartOrTable", { title })} options={views} value={view} onChange={setView} />
          <ChartMenu title={title} table={tableElement} image={image} />
        </>
      }
    >
      {view === "chart" && legend}
      <div ref={ref} className={styles.plot}>
        {view === "chart" ? (
          <>
            <div role="img" aria-label={sentence}>
              {chart(width, active === null ? null : (marks[active]?.key ?? null))}
            </div>
            <ChartMarks title={title} marks={marks} active={active} onActive={setActive} />
          </>
        ) : (
          <div className={`${styles.table} ${folding.folding}`} role="region" aria-label={t("tableOf", { title })} tabIndex={0}>
            {table}
          </div>
        )}
      </div>
      {isRead && (
        <div ref={text} hidden>
          {table}
        </div>
      )}
      {view === "chart" && caption && <p className={styles.caption}>{caption}</p>}
      {below}
      {reading && <Reading {...reading} />}
    </Card>
  );
}
