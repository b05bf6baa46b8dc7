/** Where a result's other forms are: plain links, the browser saves or shows what they answer. */
import { apiUrl, requestText } from "./client";
import type { ExportRunData, ExportTrialData } from "./generated/types.gen";

export const EXPORTS = [
  { format: "benchstat", label: "Benchmark text", about: "for benchstat" },
  { format: "csv-long", label: "CSV, long", about: "one line a trial and metric" },
  { format: "csv-wide", label: "CSV, wide", about: "one line a cell" },
  { format: "json", label: "JSON", about: "everything, exact" },
  { format: "markdown", label: "Markdown", about: "for a ticket or a post" },
  { format: "html", label: "HTML report", about: "one file, readable offline" },
] as const;

/** A chart as an image. */
export const IMAGES = [
  { format: "png", label: "PNG image" },
  { format: "svg", label: "SVG image" },
] as const;

export type ImageFormat = (typeof IMAGES)[number]["format"];
export type ImageTheme = "light" | "dark";
/** Where a chart's image is, in a format and a theme. */
export type ImageHref = (format: ImageFormat, theme: ImageTheme) => string;

/** What an image of a result shows. */
export interface ImageChoice {
  kind: NonNullable<NonNullable<ExportRunData["query"]>["kind"]>;
  metric?: string;
  unit?: "cores" | "us_per_txn";
  /** Ids between commas, of the cells that are drawn; all without it. */
  cells?: string;
  scale?: "same" | "own";
  rows?: string;
  columns?: string;
  panels?: string;
  color?: string;
  /** The id of the first cell of a ladder; all ladders without it. */
  ladder?: string;
}

export function exportUrl(runId: string, format: string): string {
  return apiUrl(`/runs/${runId}/exports/${format}`);
}

export function imageUrl(runId: string, format: ImageFormat, theme: ImageTheme, choice: ImageChoice): string {
  return `${exportUrl(runId, format)}?${new URLSearchParams({ ...choice, theme }).toString()}`;
}

/** One of a trial's charts as an image. */
export function trialImage(trialId: string, kind: NonNullable<NonNullable<ExportTrialData["query"]>["kind"]>): ImageHref {
  return (format, theme) => apiUrl(`/trials/${encodeURIComponent(trialId)}/exports/${format}?${new URLSearchParams({ kind, theme }).toString()}`);
}

/** The commands that repeat one cell without Plimsoll, as a POSIX shell script. */
export function commandsUrl(runId: string, cellId: string): string {
  return apiUrl(`/runs/${runId}/cells/${encodeURIComponent(cellId)}/commands`);
}

export function getCommands(runId: string, cellId: string): Promise<string> {
  return requestText(`/runs/${runId}/cells/${encodeURIComponent(cellId)}/commands`);
}
