import { messages } from "@/messages";
import { Facts } from "./Facts";
import styles from "./FoldedFacts.module.css";
import { formatNumber } from "./format";

const t = messages("common");

/** A folded list of names with values. */
export function FoldedFacts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <details className={styles.fold}>
      <summary>{t("values", { count: facts.length, n: formatNumber(facts.length) })}</summary>
      <Facts facts={facts} />
    </details>
  );
}
