import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type Dispatch, type SetStateAction } from "react";
import { useLocation } from "react-router";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";

/**
 * State as of `useState`, which is kept where the session ends: who signs in again and returns to the same address in
 * this tab finds it. Only the same account does.
 */
export function useKept<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const { pathname, search } = useLocation();
  const { data, error } = useQuery({ ...queries.session(), enabled: false });
  const account = data?.account?.id ?? "";
  const key = `plimsoll kept ${pathname}${search} ${name}`;
  const [value, setValue] = useState(() => read<T>(key, account) ?? initial);
  const isSignedOut = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (isSignedOut) write(key, account, value);
    else remove(key);
  }, [isSignedOut, key, account, value]);
  return [value, setValue];
}

/** The stored value, or undefined where there is none of this account. */
function read<T>(key: string, account: string): T | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as { account: string; value: T } | null;
    return kept?.account === account ? kept.value : undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, account: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ account, value }));
  } catch {
    // Storage is full or switched off: the open page still has the value.
  }
}

function remove(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is switched off.
  }
}
