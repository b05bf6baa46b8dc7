import type { ExclusionReason } from "@/api/generated";
import { messages } from "@/messages";
import { State } from "./State";
import { CELL_STATES } from "./stateLabels";
import styles from "./VerdictLine.module.css";

const t = messages("library");

/** Which trials of a run were excluded by hand, with the reasons; nothing where none was. */
export function ExclusionBadge({ exclusions }: { exclusions: readonly ExclusionReason[] }) {
  if (exclusions.length === 0) return null;
  return (
    <ul className={styles.exclusions}>
      {exclusions.map(({ reason, trials }) => (
        <li key={reason}>
          <State label={CELL_STATES.excluded}>{t("excluded", { count: trials, reason })}</State>
        </li>
      ))}
    </ul>
  );
}
