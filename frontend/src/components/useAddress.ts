import { useLocation, useNavigate, useSearchParams } from "react-router";

/** What the address asks for, and how to change it in place: null takes a name off; the fragment and the scroll stay. */
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
