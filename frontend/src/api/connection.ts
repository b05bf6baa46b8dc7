/** Whether the server answers. Requests report what they see; the page says so when it is lost. */

export type Connection = "online" | "lost";

const PROBE_MS = 2000;
const PROBE_LIMIT_MS = 10_000;
const listeners = new Set<() => void>();
let state: Connection = "online";
let probe: ReturnType<typeof setTimeout> | undefined;

export function connection(): Connection {
  return state;
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Connection): void {
  if (next === state) return;
  state = next;
  listeners.forEach((listener) => listener());
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    if (answer.ok) {
      probe = undefined;
      set("online");
      return;
    }
  } catch {
    // Still lost: ask again.
  }
  set("lost");
  probe = setTimeout(() => void ask(), PROBE_MS);
}

/** Asks at once whether the server still answers, and says so if it does not. */
export function checkConnection(): void {
  if (probe === undefined) void ask();
}

/** Called when a request found no server: asks until it answers again. */
export function connectionLost(): void {
  set("lost");
  probe ??= setTimeout(() => void ask(), PROBE_MS);
}

export function connectionFound(): void {
  if (probe !== undefined) clearTimeout(probe);
  probe = undefined;
  set("online");
}
