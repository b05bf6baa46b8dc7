import { useLocation, useNavigate, useSearchParams } from "react-router";

/** Returns the query of the address and a function that changes it in place; null removes a name. Fragment and scroll position are kept. */
export function useAddress(): [URLSearchParams, (changes: Readonly<Record<string, string | null>>) => void] {
  const [query] = useSearchParams();
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const change = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name);
      else next.set(name, value);
    void navigate({ pathname, search: next.toString(), hash }, { replace: true, preventScrollReset: true });
  };
  return [query, change];
}
