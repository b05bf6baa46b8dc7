/** Whether the server is reachable. Requests report success and failure here; the page shows an alert while it is not. */

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

async function probeServer(): Promise<void> {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    if (answer.ok) {
      probe = undefined;
      set("online");
      return;
    }
  } catch {
    // Still unreachable: the next probe follows.
  }
  set("lost");
  probe = setTimeout(() => void probeServer(), PROBE_MS);
}

/** Probes the server at once, unless a probe is already scheduled. */
export function checkConnection(): void {
  if (probe === undefined) void probeServer();
}

/** Marks the connection as lost and probes the server until it answers. */
export function connectionLost(): void {
  set("lost");
  probe ??= setTimeout(() => void probeServer(), PROBE_MS);
}

export function connectionFound(): void {
  if (probe !== undefined) clearTimeout(probe);
  probe = undefined;
  set("online");
}
