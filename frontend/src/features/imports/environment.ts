/** Facts of an environment as they are typed, one a line. Pure. */

function factOf(line: string): [string, string] | null {
  const colon = line.indexOf(":");
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  return colon > 0 && name && value ? [name, value] : null;
}

/** "kernel: 6.1" by line. */
export function environmentOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split("\n").map(factOf).filter((fact) => fact !== null));
}

/** The lines that hold something and are no fact. */
export function strayLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && factOf(line) === null);
}
