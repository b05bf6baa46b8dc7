/** Parses an environment, one fact per line. Pure. */

function factOf(line: string): [string, string] | null {
  const colon = line.indexOf(":");
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  return colon > 0 && name && value ? [name, value] : null;
}

/** Parses lines such as "kernel: 6.1". */
export function environmentOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split("\n").map(factOf).filter((fact) => fact !== null));
}

/** Returns the lines that are neither empty nor facts. */
export function ignoredLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && factOf(line) === null);
}
