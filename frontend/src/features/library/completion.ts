/** The term that is being typed in a search, and searches that complete it. Pure. */

/** A search split before its last term; a term may have a quoted value. */
export function lastTerm(query: string): { before: string; part: string } {
  const quotes = [...query.matchAll(/"/g)];
  const open = quotes.length % 2 === 1 ? quotes.at(-1)!.index : query.length;
  const start = query.slice(0, open).search(/\S*$/);
  return { before: query.slice(0, start), part: query.slice(start) };
}

/** Returns the searches in which a term takes the place of the last one; values with spaces are quoted. */
export function completed(query: string, terms: readonly string[]): string[] {
  const { before, part } = lastTerm(query);
  const minus = part.startsWith("-") ? "-" : "";
  return terms.map((term) => `${before}${minus}${quoted(term)}${term.endsWith(":") ? "" : " "}`);
}

function quoted(term: string): string {
  const [key = "", ...value] = term.split(":");
  const text = value.join(":");
  return /[\s,]/.test(text) ? `${key}:"${text}"` : term;
}

/** Returns a search with a further term, once. */
export function withTerm(query: string, term: string): string {
  const trimmed = query.trim();
  return trimmed.split(/\s+/).includes(term) ? trimmed : `${trimmed} ${term}`.trim();
}

/** Returns a search in which a term is replaced, or removed. */
export function replaced(query: string, term: string, by: string): string {
  return query.replace(term, by).replace(/\s{2,}/g, " ").trim();
}
