import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { extendRun, type Run } from "@/api/generated";
import { queries, RUNS } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatDuration, formatNumber } from "@/components/format";
import { Note, QueryStatus } from "@/components/Status";
import { useRequestKey } from "@/components/useRequestKey";
import { messages } from "@/messages";
import styles from "./ExtendDialog.module.css";
import { runHref } from "./links";
import type { MatrixStore } from "./matrixStore";

const t = messages("runs");
const MOST = 1000;
const DEFAULT_ROUNDS = 10;

interface Props {
  run: Run;
  store: MatrixStore;
  cells: ReadonlySet<string>;
  open: boolean;
  onClose: () => void;
}

/** The dialog that adds rounds of chosen cells to an ended run, as a run and an analysis of its own. */
export function ExtendDialog({ run, store, cells, open, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState(String(DEFAULT_ROUNDS));
  const rounds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const valid = rounds >= 1 && rounds <= MOST;
  const body = { cells: [...cells], rounds: useSettled(rounds) };
  const preview = useQuery({ ...queries.extension(run.id, body), enabled: open && valid && cells.size > 0 });
  const keyOf = useRequestKey();
  const start = useMutation({
    mutationFn: () => {
      const wanted = { cells: [...cells], rounds };
      return extendRun({ path: { run_id: run.id }, body: wanted, headers: { "Idempotency-Key": keyOf([run.id, wanted]) } });
    },
    onSuccess: (started) => {
      void client.invalidateQueries({ queryKey: RUNS });
      void client.invalidateQueries({ queryKey: queries.extensions(run.id).queryKey });
      void navigate(runHref(started.id));
    },
  });
  const labels = [...cells].map((id) => store.cell(id)?.label ?? id);
  return (
    <Dialog
      title={t("extendTitle")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("extendClose")}</Button>
          <Button kind="primary" busy={start.isPending} disabled={!valid} onClick={() => start.mutate()}>
            {t("extendStart")}
          </Button>
        </>
      }
    >
      <p>{t("extendExplained")}</p>
      <ul className={styles.cells} aria-label={t("extendCells", { count: cells.size })} tabIndex={0}>
        {labels.map((label, at) => (
          <li key={at}>{label}</li>
        ))}
      </ul>
      <label className={styles.rounds}>
        {t("extendRounds")}
        <input inputMode="numeric" value={text} aria-invalid={!valid} onChange={(event) => setText(event.target.value)} />
      </label>
      {!valid && <Note tone="bad">{t("extendRoundsInvalid", { most: formatNumber(MOST) })}</Note>}
      {valid && <QueryStatus query={preview} label={t("extendPlanning")} rows={2} />}
      {valid && preview.data && (
        <>
          <p>{t("extendEstimate", { count: preview.data.trials, trials: formatNumber(preview.data.trials), cells: preview.data.cells.length, time: formatDuration(preview.data.seconds) })}</p>
          <p>{t("extendCorrection", { number: preview.data.number, analyses: preview.data.analyses })}</p>
          {preview.data.comparisons === 0 && <Note tone="warn">{t("extendNothing")}</Note>}
          {preview.data.comparisons > 0 && preview.data.rounds_needed > rounds && <Note tone="warn">{t("extendTooFew", { count: preview.data.rounds_needed })}</Note>}
        </>
      )}
      {start.isError && <Note tone="bad">{start.error.message}</Note>}
    </Dialog>
  );
}

/** A number once it has not changed for a moment. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
