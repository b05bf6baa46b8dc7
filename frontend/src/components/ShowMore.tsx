import { Button } from "./Button";
import { formatNumber, plural } from "./format";
import styles from "./ShowMore.module.css";

interface Props {
  shown: number;
  all: number;
  step: number;
  /** The name of one item. */
  item: string;
  onMore: () => void;
}

/** The number of items shown and a button that shows more; nothing once all are shown. */
export function ShowMore({ shown, all, step, item, onMore }: Props) {
  if (shown >= all) return null;
  return (
    <p className={styles.more}>
      {formatNumber(shown)} of {plural(all, item)} are shown. <Button onClick={onMore}>Show {formatNumber(Math.min(step, all - shown))} more</Button>
    </p>
  );
}
