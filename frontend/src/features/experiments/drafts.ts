/**
 * Drafts of definitions in this browser's storage. Each tab writes its own, so that two tabs never overwrite each other.
 * A draft belongs to an account and to what the definition began as (`source`).
 */
import { newKey } from "@/components/newKey";
import { parseYaml } from "@/components/yaml";

export interface KeptDraft {
  key: string;
  text: string;
  /** The newest text that could be parsed; null where there was none. */
  good: string | null;
  /** When it was last changed, in milliseconds since the epoch. */
  at: number;
}

const PREFIX = "plimsoll draft";
/** Of one account; the oldest go first. */
const MOST = 20;
/** The id under which this tab's earlier page kept its drafts. */
const TAB_KEY = "plimsoll draft tab";

/** The id of this page in its tab: a copy of the tab gets another one. */
const tab = newKey();
const earlier = exchangedTab();

function exchangedTab(): string | null {
  try {
    const before = sessionStorage.getItem(TAB_KEY);
    sessionStorage.setItem(TAB_KEY, tab);
    return before;
  } catch {
    return null;
  }
}

function prefixOf(account: string, source?: string): string {
  return `${PREFIX} ${account} ${source === undefined ? "" : `${source} `}`;
}

export function ownKey(account: string, source: string): string {
  return prefixOf(account, source) + tab;
}

/** Returns this tab's draft, also of its page before a reload; the draft then has this page's key. */
export function ownDraft(account: string, source: string): KeptDraft | null {
  const key = ownKey(account, source);
  const found = read(key) ?? (earlier === null ? null : read(prefixOf(account, source) + earlier));
  if (found === null || found.key === key) return found;
  remove(found.key);
  return write({ ...found, key });
}

/** Returns the drafts that other tabs and earlier visits kept, newest first. */
export function otherDrafts(account: string, source: string): KeptDraft[] {
  const own = ownKey(account, source);
  return all(prefixOf(account, source)).filter(({ key }) => key !== own);
}

/** Keeps a text; returns null where the storage is full or switched off. */
export function keep(account: string, source: string, text: string): KeptDraft | null {
  const key = ownKey(account, source);
  const before = read(key);
  if (before?.text === text) return before;
  for (const old of all(prefixOf(account)).slice(MOST)) remove(old.key);
  return write({ key, text, good: "document" in parseYaml(text) ? text : (before?.good ?? null), at: Date.now() });
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is switched off.
  }
}

function all(prefix: string): KeptDraft[] {
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return found.flatMap((key) => read(key) ?? []).sort((a, b) => b.at - a.at);
  } catch {
    return [];
  }
}

function read(key: string): KeptDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<KeptDraft> | null;
    return typeof kept?.text === "string" && typeof kept.at === "number" ? { key, text: kept.text, good: typeof kept.good === "string" ? kept.good : null, at: kept.at } : null;
  } catch {
    return null;
  }
}

function write(draft: KeptDraft): KeptDraft | null {
  try {
    const { key, ...kept } = draft;
    localStorage.setItem(key, JSON.stringify(kept));
    return draft;
  } catch {
    return null;
  }
}
