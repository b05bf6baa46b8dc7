import { memo, useSyncExternalStore } from "react";
import { Link } from "react-router";
import type { TrialEvent } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { formatRate } from "@/components/rates";
import { State } from "@/components/State";
import { messages } from "@/messages";
import { trialHref } from "./links";
import { codeOf, matrixState } from "./matrixStates";
import type { MatrixStore } from "./matrixStore";
import styles from "./RecentTrials.module.css";

const t = messages("runs");

interface Props {
  runId: string;
  recent: readonly TrialEvent[];
  store: MatrixStore;
}

/** The newest trials of a run in progress. Memoised: live figures do not render it again. */
export const RecentTrials = memo(function RecentTrials({ runId, recent, store }: Props) {
  // The labels are known once the matrix is there.
  useSyncExternalStore(store.subscribe, () => store.cell(recent[0]?.cell_id ?? "")?.label);
  if (recent.length === 0) return <p className={styles.none}>{t("recentNone")}</p>;
  return (
    <ol className={styles.feed} aria-label={t("recentLabel")} tabIndex={0}>
      {recent.map((event) => (
        <li key={event.trial_id}>
          <State label={matrixState(codeOf(event))} glyphOnly />
          <Link to={trialHref(runId, event.trial_id)}>{store.cell(event.cell_id)?.label ?? event.cell_id}</Link>
          <span className={styles.round}>{t("roundNumber", { round: event.round })}</span>
          <span className={styles.rate}>{formatRate(event.metrics, formatNumber) ?? event.failure_code ?? matrixState(codeOf(event)).word}</span>
        </li>
      ))}
    </ol>
  );
});
