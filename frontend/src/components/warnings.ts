/** Warnings are sentences of the server: "3 of 10 trials: for example title: figure; advice". */
export interface WarningParts {
  title: string;
  figure: string;
  advice: string;
  /** The number of affected trials; null where the warning is not about trials. */
  trials: { count: number; of: number } | null;
}

const TRIALS = /^(\d+) of (\d+) trials: (?:for example )?/;

/** Splits a warning at its first colon and the semicolon after it. */
export function parseWarning(text: string): WarningParts {
  const found = TRIALS.exec(text);
  const rest = found ? text.slice(found[0].length) : text;
  const colon = rest.indexOf(": ");
  const title = colon < 0 ? rest : rest.slice(0, colon);
  const after = colon < 0 ? "" : rest.slice(colon + 2);
  const semicolon = after.indexOf("; ");
  return {
    title,
    figure: semicolon < 0 ? after : after.slice(0, semicolon),
    advice: semicolon < 0 ? "" : after.slice(semicolon + 2),
    trials: found ? { count: Number(found[1]), of: Number(found[2]) } : null,
  };
}

export interface AffectedCell {
  label: string;
  href: string | null;
  figure: string;
  trials: WarningParts["trials"];
}

export interface WarningKind {
  title: string;
  advice: string;
  cells: AffectedCell[];
}

/** The kind of the run's sentences that begin with a cell's label: they are about that cell. */
const ABOUT_CELLS = "Cells whose figures are missing, partial or moved";

/** Groups the warnings of a run and of its cells by kind, the kind of most cells first; a sentence about the whole run is a kind of its own. */
export function groupWarnings(
  run: readonly string[],
  cells: readonly { label: string; href: string | null; warnings: readonly string[] }[],
): WarningKind[] {
  const found = new Map<string, WarningKind>();
  const kindOf = (title: string, advice: string): WarningKind => {
    const known = found.get(title) ?? { title, advice: "", cells: [] };
    known.advice ||= advice;
    found.set(title, known);
    return known;
  };
  for (const cell of cells)
    for (const text of cell.warnings) {
      const { title, advice, figure, trials } = parseWarning(text);
      kindOf(title, advice).cells.push({ label: cell.label, href: cell.href, figure, trials });
    }
  for (const text of run) {
    const cell = cells.find(({ label }) => text.startsWith(`${label}: `));
    if (cell) kindOf(ABOUT_CELLS, "").cells.push({ label: cell.label, href: cell.href, figure: text.slice(cell.label.length + 2), trials: null });
    else kindOf(text, "");
  }
  return [...found.values()].sort((a, b) => b.cells.length - a.cells.length);
}
