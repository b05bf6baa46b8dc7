import type { UseQueryResult } from "@tanstack/react-query";
import { memo, useCallback, useState } from "react";
import { useNavigate } from "react-router";
import type { Matrix, Run } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { State } from "@/components/State";
import { QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { ExtendDialog } from "./ExtendDialog";
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

/** All trials of a run by cell and round. Memoised: live figures do not render it again. */
export const MatrixCard = memo(function MatrixCard({ run, store, query }: Props) {
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const runId = run.id;
  const open = useCallback((cellId: string, round: number | null) => void navigate(round === null ? cellHref(runId, cellId) : roundHref(runId, cellId, round)), [navigate, runId]);
  return (
    <Card title={t("matrixTitle")} note={t("matrixNote")} flush>
      {query.data === undefined ? (
        <div className={styles.foot}>
          <QueryStatus query={query} label={t("matrixLoading")} rows={6} />
        </div>
      ) : (
        <div className={styles.box}>
          <MatrixGrid store={store} open={open} selected={selected} select={setSelected} />
          <Foot store={store}>
            <ExtendButton run={run} store={store} selected={selected} />
          </Foot>
        </div>
      )}
    </Card>
  );
});

/** The number of trials in each state that occurs. */
function Foot({ store, children }: { store: MatrixStore; children: React.ReactNode }) {
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
      <span className={styles.spacer} />
      {children}
    </div>
  );
}

/** Opens the dialog for more rounds of the selected cells: of an ended run that was measured here. */
function ExtendButton({ run, store, selected }: { run: Run; store: MatrixStore; selected: ReadonlySet<string> }) {
  const [open, setOpen] = useState(false);
  const [again, setAgain] = useState(false);
  useMatrixVersion(store);
  const mayWrite = useMay("write");
  if (!isTerminal(run.state) || run.origin !== "measured" || !mayWrite) return null;
  // A cell that cannot run here has no rounds, and an A/A duplicate comes with its baseline.
  const cells = new Set([...selected].filter((id) => store.cell(id)?.infeasible === null && !id.endsWith("-aa")));
  const lost = store.lost();
  return (
    <>
      {lost.size > 0 && <Button onClick={() => setAgain(true)}>{t("extendLost", { count: lost.size })}</Button>}
      {cells.size === 0 && <span>{t("extendHint")}</span>}
      <Button disabled={cells.size === 0} onClick={() => setOpen(true)}>{t("extendButton", { count: cells.size })}</Button>
      <ExtendDialog run={run} store={store} cells={cells} open={open} onClose={() => setOpen(false)} />
      <ExtendDialog run={run} store={store} cells={lost} open={again} onClose={() => setAgain(false)} />
    </>
  );
}
