import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import type { Run } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { useMay } from "@/components/useMay";
import { ExtendDialog } from "./ExtendDialog";
import type { MatrixStore } from "./matrixStore";

interface MeasureLost {
  /** Opens the dialog; undefined where nothing can be measured again by this account. */
  open: (() => void) | undefined;
  dialog: React.ReactNode;
}

/** Returns what measures cells with lost trials again: of an ended run that was measured here. */
export function useMeasureLost(run: Run | undefined, store: MatrixStore): MeasureLost {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMay("write");
  const canExtend =
    run !== undefined && isTerminal(run.state) && run.origin === "measured" && mayWrite;
  // While the run goes on, its events do not render the page again.
  const version = useSyncExternalStore(store.subscribe, () => (canExtend ? store.version : -1));
  const lost = useMemo(() => (version < 0 ? new Set<string>() : store.lost()), [store, version]);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  return {
    open: lost.size > 0 ? open : undefined,
    dialog: run && (
      <ExtendDialog run={run} store={store} cells={lost} open={isOpen} onClose={close} />
    ),
  };
}
