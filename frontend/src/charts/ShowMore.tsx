import { Button } from "@/components/Button";
import { formatNumber } from "@/components/format";
import styles from "./ChartFrame.module.css";

interface Props {
  shown: number;
  all: number;
  step: number;
  onMore: () => void;
}

/** The number of items shown and a button that shows more; nothing once all are shown. */
export function ShowMore({ shown, all, step, onMore }: Props) {
  if (shown >= all) return null;
  return (
    <p className={styles.caption}>
      {formatNumber(shown)} of {formatNumber(all)} are shown. <Button onClick={onMore}>Show {formatNumber(Math.min(step, all - shown))} more</Button>
    </p>
  );
}
