import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Matrix, Run, TrialEvent } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Card } from "@/components/Card";
import { onDemand } from "@/components/onDemand";
import { Loading } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import type { MatrixStore } from "./matrixStore";
import { RecentTrials } from "./RecentTrials";

const t = messages("runs");
const MatrixCard = onDemand(async () => (await withMessages(import("./MatrixCard"))).MatrixCard);

interface MatrixParts {
  run: Run;
  store: MatrixStore;
  query: UseQueryResult<Matrix>;
  /** The newest trials, of a run in progress. */
  recent: readonly TrialEvent[];
}

/** The run of the page with its matrix: what is between is not rendered with each event. */
export const MatrixContext = createContext<MatrixParts | null>(null);

/** All trials of the run of the page; while it is in progress, the newest ones above them. */
export function MatrixOfRun() {
  const parts = useContext(MatrixContext);
  if (!parts) return null;
  const { recent, ...matrix } = parts;
  return (
    <>
      {!isTerminal(parts.run.state) && (
        <Card title={t("recentTitle")} note={t("recentNote")} flush>
          <RecentTrials runId={parts.run.id} recent={recent} store={parts.store} />
        </Card>
      )}
      <MatrixCard fallback={<Loading label={t("matrixLoading")} rows={6} />} {...matrix} />
    </>
  );
}
