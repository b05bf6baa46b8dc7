import { useCallback, useRef } from "react";
import { newKey } from "./newKey";

/** Returns a function that gives each request an idempotency key; an equal request that follows has the same key. */
export function useRequestKey(): (body: unknown) => string {
  const last = useRef({ body: "", key: "" });
  return useCallback((request: unknown) => {
    const body = JSON.stringify(request);
    if (last.current.body !== body) last.current = { body, key: newKey() };
    return last.current.key;
  }, []);
}
