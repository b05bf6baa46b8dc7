import { Button } from "./Button";
import { messages } from "@/messages";
import { language } from "@/messages/language";
import { formatNumber, plural } from "./format";
import styles from "./ShowMore.module.css";

const t = messages("common");

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
      {t("shownOf", { shown: formatNumber(shown), all: language() === "en" ? plural(all, item) : formatNumber(all) })} <Button onClick={onMore}>{t("showMore", { number: formatNumber(Math.min(step, all - shown)) })}</Button>
    </p>
  );
}
