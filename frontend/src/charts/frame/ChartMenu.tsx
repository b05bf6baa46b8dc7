import { useEffect, useState } from "react";
import { IMAGES, type ImageHref } from "@/api/exports";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "@/components/Menu";
import { messages } from "@/messages";
import { shownTheme, useTheme } from "@/theme/useTheme";
import styles from "./Frame.module.css";
import { asCsv, asMarkdown, readTables } from "./tableText";

const t = messages("charts");
const SAID_MS = 2500;

interface Props {
  title: string;
  /** Returns an element with the chart's table. */
  table: () => ParentNode | null;
  image?: ImageHref | undefined;
}

/** The menu of a chart: its figures as text, and the chart as an image. */
export function ChartMenu({ title, table, image }: Props) {
  useTheme();
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
  const name = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "chart";
  return (
    <>
      <span role="status" className={styles.said}>{said}</span>
      <Menu button="⋯" label={t("menu", { title })} kind="ghost" align="end">
        <MenuItem onSelect={() => void copy(asMarkdown(title, rows()))}>{t("copyMarkdown")}</MenuItem>
        <MenuItem onSelect={() => void copy(asCsv(rows()))}>{t("copyCsv")}</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => save(`${name}.md`, "text/markdown", asMarkdown(title, rows()))}>{t("downloadMarkdown")}</MenuItem>
        <MenuItem onSelect={() => save(`${name}.csv`, "text/csv", asCsv(rows()))}>{t("downloadCsv")}</MenuItem>
        {image && IMAGES.map(({ format }) => (
          <MenuLink key={format} href={image(format, shownTheme())} download={`${name}.${format}`}>
            {t("downloadImage", { format: format.toUpperCase() })}
          </MenuLink>
        ))}
      </Menu>
    </>
  );
}

/** Saves a text as a file. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
