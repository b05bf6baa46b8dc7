import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Matrix, Run } from "@/api/generated";
import { onDemand } from "@/components/onDemand";
import { Loading } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import type { MatrixStore } from "./matrixStore";

const t = messages("runs");
const MatrixCard = onDemand(async () => (await withMessages(import("./MatrixCard"))).MatrixCard);

interface MatrixParts {
  run: Run;
  store: MatrixStore;
  query: UseQueryResult<Matrix>;
}

/** The run of the page with its matrix: what is between is not rendered with each event. */
export const MatrixContext = createContext<MatrixParts | null>(null);

/** All trials of the run of the page. */
export function MatrixOfRun() {
  const parts = useContext(MatrixContext);
  return (
    parts && <MatrixCard fallback={<Loading label={t("matrixLoading")} rows={6} />} {...parts} />
  );
}
