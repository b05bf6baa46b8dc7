import { IMAGES, type ImageHref } from "@/api/exports";
import { MenuItem, MenuLink, MenuSeparator } from "@/components/Menu";
import { messages } from "@/messages";
import { shownTheme, useTheme } from "@/theme/useTheme";

const t = messages("charts");

interface Props {
  title: string;
  /** The chart's table as text, by the ending of a file. */
  texts: { md: () => string; csv: () => string };
  image: ImageHref | undefined;
  onCopy: (text: string) => void;
}

/** The items of a chart's menu. */
export function ChartMenuItems({ title, texts, image, onCopy }: Props) {
  useTheme();
  const name =
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "") || "chart";
  return (
    <>
      <MenuItem onSelect={() => onCopy(texts.md())}>{t("copyMarkdown")}</MenuItem>
      <MenuItem onSelect={() => onCopy(texts.csv())}>{t("copyCsv")}</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => save(`${name}.md`, "text/markdown", texts.md())}>
        {t("downloadMarkdown")}
      </MenuItem>
      <MenuItem onSelect={() => save(`${name}.csv`, "text/csv", texts.csv())}>
        {t("downloadCsv")}
      </MenuItem>
      {image &&
        IMAGES.map(({ format }) => (
          <MenuLink key={format} href={image(format, shownTheme())} download={`${name}.${format}`}>
            {t("downloadImage", { format: format.toUpperCase() })}
          </MenuLink>
        ))}
    </>
  );
}

export default ChartMenuItems;

/** Saves a text as a file. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
