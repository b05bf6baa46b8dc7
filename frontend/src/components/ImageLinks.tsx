import { IMAGES, type ImageHref } from "@/api/exports";
import { shownTheme, useTheme } from "@/theme/useTheme";
import { messages } from "@/messages";
import styles from "./ImageLinks.module.css";

const t = messages("common");

/** Links to a chart as an image, in the visible theme. */
export function ImageLinks({ title, href }: { title: string; href: ImageHref }) {
  useTheme();
  return (
    <p className={styles.links}>
      {IMAGES.map(({ format }) => (
        <a key={format} href={href(format, shownTheme())} target="_blank" rel="noreferrer" aria-label={t("imageAs", { title, format: format.toUpperCase() })}>
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}
