/** Warnings as the server writes them, taken apart: "3 of 10 trials: for example title: figure; what to do". */
export interface Told {
  title: string;
  figure: string;
  advice: string;
  /** How many trials say so, of how many; null where it is not about trials. */
  trials: { count: number; of: number } | null;
}

const TRIALS = /^(\d+) of (\d+) trials: (?:for example )?/;

export function takenApart(text: string): Told {
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

export interface Where {
  label: string;
  href: string | null;
  figure: string;
  trials: Told["trials"];
}

export interface Gathered {
  title: string;
  advice: string;
  cells: Where[];
}

/** Sentences of the run that begin with a cell's name are about that cell. */
const ABOUT_CELLS = "Cells whose figures are missing, partial or moved";

/** The warnings of a run and of its cells by kind, those of most cells first; a sentence about the whole run is a kind of its own. */
export function gathered(
  run: readonly string[],
  cells: readonly { label: string; href: string | null; warnings: readonly string[] }[],
): Gathered[] {
  const found = new Map<string, Gathered>();
  const at = (title: string, advice: string): Gathered => {
    const known = found.get(title) ?? { title, advice: "", cells: [] };
    known.advice ||= advice;
    found.set(title, known);
    return known;
  };
  for (const cell of cells)
    for (const text of cell.warnings) {
      const { title, advice, figure, trials } = takenApart(text);
      at(title, advice).cells.push({ label: cell.label, href: cell.href, figure, trials });
    }
  for (const text of run) {
    const cell = cells.find(({ label }) => text.startsWith(`${label}: `));
    if (cell) at(ABOUT_CELLS, "").cells.push({ label: cell.label, href: cell.href, figure: text.slice(cell.label.length + 2), trials: null });
    else at(text, "");
  }
  return [...found.values()].sort((a, b) => b.cells.length - a.cells.length);
}
