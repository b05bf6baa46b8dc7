import type { CellNotice, Notice, RunNotice } from "@/api/generated";
import { messages } from "@/messages";
import { catalogName, serverText } from "./serverText";

const t = messages("common");

/** A notice of one trial, or of several trials of a cell. */
export type AnyNotice = Notice | CellNotice;

/** Returns "in 3 of 10 trials" for a notice of several trials, else an empty text. */
export function trialsOf(notice: AnyNotice): string {
  return "trials" in notice ? t("inTrials", { trials: notice.trials, of: notice.of }) : "";
}

export interface AffectedCell {
  label: string;
  href: string | null;
  figures: string;
  trials: string;
}

export interface NoticeKind {
  title: string;
  advice: string;
  cells: AffectedCell[];
}

interface Cell {
  id: string;
  label: string;
  href: string | null;
  notices: readonly CellNotice[];
}

/** The kind of the run's notices about single cells. */
const aboutCells = () => t("aboutCells");

/** Groups the notices of a run and of its cells by kind, the kind of most cells first; a notice about the whole run is a kind of its own. */
export function groupNotices(run: readonly RunNotice[], cells: readonly Cell[]): NoticeKind[] {
  const found = new Map<string, NoticeKind>();
  const kindOf = (title: string, advice: string): NoticeKind => {
    const known = found.get(title) ?? { title, advice: "", cells: [] };
    known.advice ||= advice;
    found.set(title, known);
    return known;
  };
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  for (const { label, href, notices } of cells)
    for (const notice of notices) kindOf(catalogName("notice", notice.kind, notice.kind), notice.advice).cells.push({ label, href, figures: notice.figures, trials: trialsOf(notice) });
  for (const { sentence, message, cell_id } of run) {
    const text = serverText(sentence, message);
    const cell = cell_id ? byId.get(cell_id) : undefined;
    if (cell) kindOf(aboutCells(), "").cells.push({ label: cell.label, href: cell.href, figures: text, trials: "" });
    else kindOf(text, "");
  }
  return [...found.values()].sort((a, b) => b.cells.length - a.cells.length);
}
