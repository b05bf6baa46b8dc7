/** Where a result's other forms are: plain links, the browser saves or shows what they answer. */
import { apiUrl, requestText } from "./client";

export const EXPORTS = [
  { format: "benchstat", label: "Benchmark text", about: "for benchstat" },
  { format: "csv-long", label: "CSV, long", about: "one line a trial and metric" },
  { format: "csv-wide", label: "CSV, wide", about: "one line a cell" },
  { format: "json", label: "JSON", about: "everything, exact" },
  { format: "markdown", label: "Markdown", about: "for a ticket or a post" },
  { format: "html", label: "HTML report", about: "one file, readable offline" },
] as const;

/** The chart as an image: of the metric and in the theme that are shown. */
export const IMAGES = [
  { format: "png", label: "PNG image" },
  { format: "svg", label: "SVG image" },
] as const;

export interface ImageChoice {
  metric: string;
  kind: "dots" | "roles" | "ladder" | "knee";
  theme: "light" | "dark";
}

export function exportUrl(runId: string, format: string, image?: ImageChoice): string {
  const query = image ? `?${new URLSearchParams({ ...image }).toString()}` : "";
  return apiUrl(`/runs/${runId}/exports/${format}${query}`);
}

/** The commands that repeat one cell without Plimsoll, as a POSIX shell script. */
export function commandsUrl(runId: string, cellId: string): string {
  return apiUrl(`/runs/${runId}/cells/${encodeURIComponent(cellId)}/commands`);
}

export function getCommands(runId: string, cellId: string): Promise<string> {
  return requestText(`/runs/${runId}/cells/${encodeURIComponent(cellId)}/commands`);
}
