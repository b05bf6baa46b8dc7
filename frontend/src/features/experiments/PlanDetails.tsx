import type { ExperimentDraft } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { Loading, Note } from "@/components/Status";
import { messages } from "@/messages";
import { Budget } from "./Budget";
import { Fold } from "./Fold";
import styles from "./Plan.module.css";
import { PlanCells } from "./PlanCells";
import { PlanSize } from "./PlanSize";
import { ResolutionView } from "./ResolutionView";
import { TrialOrder } from "./TrialOrder";
import type { ChosenHosts } from "./useChosenHosts";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  /** The document, debounced: for requests after each change. */
  settled: ExperimentDraft;
  onDocument: (document: ExperimentDraft) => void;
  answer: PlanPreview | undefined;
  /** Whether the plan is of an earlier version of the document. */
  stale: boolean;
  /** Whether there is no plan of this document. */
  refused: boolean;
  chosen: ChosenHosts;
}

/** The plan in detail, and its cells. */
export function PlanDetails(props: Props) {
  const { document, settled, onDocument, answer, stale, refused, chosen } = props;
  const { host, clientHost } = chosen;
  const warnings = answer?.plan.warnings ?? [];
  const warned = warnings.length > 0 && t("warningCount", { count: warnings.length });
  const note = [warned, t("planInDetailNote")].filter(Boolean).join(" · ");
  return (
    <>
      <Fold title={t("planInDetail")} note={note}>
        <div className={styles.body} data-stale={stale || refused || undefined}>
          {!answer && !refused && <Loading label={t("loadingPlan")} rows={6} />}
          {warnings.map((warning) => (
            <Note key={warning} tone="warn">
              <bdi>{warning}</bdi>
            </Note>
          ))}
          {answer && <PlanSize answer={answer} />}
          {answer?.resolution && <ResolutionView resolution={answer.resolution} />}
          {answer && <TrialOrder answer={answer} />}
        </div>
        <Budget {...{ document, settled, host, clientHost, refused, onDocument }} />
      </Fold>
      <Fold
        title={t("cells")}
        note={answer && t("cellCount", { count: answer.plan.cells.length })}
        isLazy
      >
        <p className={styles.source}>{t("cellsNote")}</p>
        {answer && <PlanCells answer={answer} />}
      </Fold>
    </>
  );
}
