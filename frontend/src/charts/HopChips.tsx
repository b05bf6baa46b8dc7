import type { LadderStep } from "@/api/generated";
import { hopName } from "@/components/hopName";
import styles from "./HopCostCard.module.css";

/** The hops that a step adds and removes. */
export function Chips({ step: { added, removed } }: { step: LadderStep }) {
  return (
    <span className={styles.chips}>
      {added.map((hop) => (
        <span key={`+${hop}`} data-added>
          + {hopName(hop)}
        </span>
      ))}
      {removed.map((hop) => (
        <span key={`-${hop}`} data-removed>
          − {hopName(hop)}
        </span>
      ))}
    </span>
  );
}
