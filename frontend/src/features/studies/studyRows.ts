/** The geometry of a study's small picture: a row for each path, on one axis from zero. Pure. */
import type { PublishedStudy } from "@/api/generated";

/** Rows of a picture. */
const MOST_ROWS = 7;

interface StudyPictureRow {
  label: string;
  values: readonly number[];
  /** Each value in per cent of the largest one. */
  places: number[];
  /** The row's largest value. */
  last: number;
}

interface StudyPicture {
  rows: StudyPictureRow[];
  /** Rows that are left out. */
  more: number;
  /** The largest value. */
  most: number;
}

/** Returns the first rows of a study, all on the axis of its largest value. */
export function studyPicture({ rows }: Pick<PublishedStudy, "rows">): StudyPicture {
  const most = Math.max(0, ...rows.flatMap(({ values }) => values));
  const shown = rows.filter(({ values }) => values.length > 0);
  return {
    rows: shown.slice(0, MOST_ROWS).map(({ label, values }) => ({
      label,
      values,
      places: values.map((value) => (most > 0 ? (100 * Math.max(0, value)) / most : 0)),
      last: Math.max(...values),
    })),
    more: Math.max(0, shown.length - MOST_ROWS),
    most,
  };
}
