import type { PublishedStudy } from "@/api/generated";
import { formatSignificant } from "@/components/format";
import { messages } from "@/messages";
import { studyPicture } from "./studyRows";
import styles from "./StudyPicture.module.css";

const t = messages("studies");

/** The published figures in small: a row for each path, a bar for one value, dots for several. */
export function StudyPicture({ study }: { study: PublishedStudy }) {
  const { rows, more, most } = studyPicture(study);
  const { metric_label: metric } = study;
  const unit = study.unit === "1/s" ? "" : study.unit;
  if (rows.length === 0) return <p className={styles.none}>{t("noFigures")}</p>;
  return (
    <figure className={styles.picture}>
      <figcaption className={styles.caption}>
        {t("published", { metric, most: formatSignificant(most), unit }).trimEnd()}
      </figcaption>
      <ul className={styles.rows}>
        {rows.map(({ label, values, places, last }) => (
          <li key={label} className={styles.row}>
            <span className={styles.label} title={label}>
              {label}
            </span>
            <span className={styles.plot} aria-hidden="true">
              {places.length === 1 ? (
                <i className={styles.bar} style={{ width: `${places[0]}%` }} />
              ) : (
                places.map((at, index) => (
                  <i key={index} className={styles.dot} style={{ insetInlineStart: `${at}%` }} />
                ))
              )}
            </span>
            <span className={styles.value} title={values.map(formatSignificant).join(", ")}>
              {formatSignificant(last)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.caption}>{t("moreRows", { count: more })}</p>}
    </figure>
  );
}
