import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { queries } from "@/api/queries";
import { MatrixStore } from "./matrixStore";

/** The store of a run's matrix, which is filled when the request is answered. */
export function useMatrix(runId: string) {
  const [store] = useState(() => new MatrixStore());
  const query = useQuery(queries.matrix(runId));
  const { data } = query;
  useEffect(() => {
    if (data) store.load(data);
  }, [data, store]);
  return { store, query };
}

/** Renders the component with every change of the matrix. */
export function useMatrixVersion(store: MatrixStore): number {
  return useSyncExternalStore(store.subscribe, store.getVersion);
}
