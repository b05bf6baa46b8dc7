import { useLocation, useNavigate, useSearchParams } from "react-router";

/** New values of the query by name: null removes a name, a list repeats it. */
export type AddressChanges = Readonly<Record<string, string | readonly string[] | null>>;

/** Returns the query of the address and a function that changes it in place. Fragment and scroll position are kept. */
export function useAddress(): [URLSearchParams, (changes: AddressChanges) => void] {
  const [query] = useSearchParams();
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const change = (changes: AddressChanges) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes))
      if (typeof value === "string") next.set(name, value);
      else {
        next.delete(name);
        for (const each of value ?? []) next.append(name, each);
      }
    void navigate({ pathname, search: next.toString(), hash }, { replace: true, preventScrollReset: true });
  };
  return [query, change];
}
