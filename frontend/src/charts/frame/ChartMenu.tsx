import { lazy, useEffect, useState } from "react";
import type { ImageHref } from "@/api/exports";
import { MenuButton } from "@/components/MenuButton";
import { messages, withMessages } from "@/messages";
import styles from "./Frame.module.css";
import { asCsv, asMarkdown, readTables } from "./tableText";

const t = messages("charts");
const SAID_MS = 2500;
const ChartMenuItems = lazy(() => withMessages(import("./ChartMenuItems")));

interface Props {
  title: string;
  /** Returns an element with the chart's table. */
  table: () => ParentNode | null;
  image?: ImageHref | undefined;
}

/** The menu of a chart: its figures as text, and the chart as an image. Its code is loaded when it is opened first. */
export function ChartMenu({ title, table, image }: Props) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const rows = () => {
    const element = table();
    return element ? readTables(element) : [];
  };
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t("copied"));
    } catch {
      setSaid(t("notCopied"));
    }
  };
  const texts = { md: () => asMarkdown(title, rows()), csv: () => asCsv(rows()) };
  return (
    <>
      <span role="status" className={styles.said}>
        {said}
      </span>
      <MenuButton button="⋯" label={t("menu", { title })}>
        <ChartMenuItems
          title={title}
          texts={texts}
          image={image}
          onCopy={(text) => void copy(text)}
        />
      </MenuButton>
    </>
  );
}
