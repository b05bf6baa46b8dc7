import { useCallback, useRef } from "react";
import { newKey } from "./newKey";

/** The key of a request: the same as long as the same is asked for, so that a repeated try does nothing twice. */
export function useRequestKey(): (what: unknown) => string {
  const tried = useRef({ what: "", key: "" });
  return useCallback((asked: unknown) => {
    const what = JSON.stringify(asked);
    if (tried.current.what !== what) tried.current = { what, key: newKey() };
    return tried.current.key;
  }, []);
}
