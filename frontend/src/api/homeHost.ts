/** The host whose answers the first page shows. */
const KEY = "plimsoll home host";
/** Characters of the name of a host. */
const MOST = 64;

/** Returns the host of the address, else the one that was chosen last in this browser. */
export function homeHost(query: URLSearchParams): string | null {
  return nameOf(query.get("host")) ?? nameOf(remembered());
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is switched off
  }
}

function nameOf(text: string | null): string | null {
  return text !== null && text !== "" && text.length <= MOST ? text : null;
}

/** Keeps the choice for the next visit. */
export function rememberHomeHost(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Storage is full or switched off: the address still has the choice.
  }
}
