import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Matrix, Run } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { State } from "@/components/State";
import { QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { cellHref, roundHref } from "./links";
import styles from "./Matrix.module.css";
import { MatrixGrid } from "./MatrixGrid";
import { CODES, matrixState } from "./matrixStates";
import type { MatrixStore } from "./matrixStore";
import { useMatrixVersion } from "./useMatrix";

const t = messages("runs");

interface Props {
  run: Run;
  store: MatrixStore;
  query: UseQueryResult<Matrix>;
}

/** All trials of a run by cell and round. */
export function MatrixCard({ run, store, query }: Props) {
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const open = (cellId: string, round: number | null) => void navigate(round === null ? cellHref(run.id, cellId) : roundHref(run.id, cellId, round));
  return (
    <Card title={t("matrixTitle")} note={t("matrixNote")} flush>
      {query.data === undefined ? (
        <div className={styles.foot}>
          <QueryStatus query={query} label={t("matrixLoading")} rows={6} />
        </div>
      ) : (
        <div className={styles.box}>
          <MatrixGrid store={store} open={open} selected={selected} select={setSelected} />
          <Foot store={store} />
        </div>
      )}
    </Card>
  );
}

/** The number of trials in each state that occurs. */
function Foot({ store }: { store: MatrixStore }) {
  useMatrixVersion(store);
  return (
    <div className={styles.foot}>
      <ul className={styles.legend} aria-label={t("matrixLegend")}>
        {CODES.filter((code) => store.counted(code) > 0).map((code) => (
          <li key={code}>
            <State label={matrixState(code)}>{t("matrixCount", { number: formatNumber(store.counted(code)), state: matrixState(code).word })}</State>
          </li>
        ))}
      </ul>
    </div>
  );
}
