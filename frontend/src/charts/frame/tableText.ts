/** A table of the page as Markdown or CSV, so that both have the figures that are shown. */

type Rows = string[][];

/** Returns the text of each row of the tables within an element, with an empty row between two tables. */
export function readTables(element: ParentNode): Rows {
  const tables = [...element.querySelectorAll("table")].map((table) => [...table.rows].map((row) => [...row.cells].flatMap((cell) => [textOf(cell), ...Array.from({ length: cell.colSpan - 1 }, () => "")])));
  return tables.flatMap((rows, index) => (index === 0 ? rows : [[], ...rows]));
}

function textOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const line of copy.querySelectorAll("br")) line.replaceWith(", ");
  for (const button of copy.querySelectorAll("svg, button")) button.remove();
  return (copy.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** Returns Markdown with a heading; the first row of each table is its head. */
export function asMarkdown(title: string, rows: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("\\", "\\\\").replaceAll("|", "\\|")).join(" | ")} |`;
  const lines = rows.flatMap((row, index) => {
    if (row.length === 0) return [""];
    const isHead = index === 0 || rows[index - 1]?.length === 0;
    return isHead ? [line(row), line(row.map(() => "---"))] : [line(row)];
  });
  return [`**${title}**`, "", ...lines, ""].join("\n");
}

/** A number as the page formats it: with a grouping mark and the minus sign of typography. */
const NUMBER = /^[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/;
/** A spreadsheet would compute a text whose first visible character is one of these, in any width. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@]/u;

/** Returns CSV (RFC 4180); numbers are plain, so that programs read them. */
export function asCsv(rows: Rows): string {
  const field = (text: string) => {
    if (NUMBER.test(text)) return text.replaceAll(",", "").replace("−", "-");
    const safe = FORMULA.test(text.normalize("NFKC")) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
