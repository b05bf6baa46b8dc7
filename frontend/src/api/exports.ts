/** Addresses of exports and images, for links. */
import { language } from "@/messages/language";
import type { ExportComparisonData, ExportComparisonMatrixData, ExportRunData, ExportRunGroupData, ExportTrialData, GetTrialRawData, ReadCellCommandsData } from "./generated";
import { client } from "./generated/client.gen";

/** The formats of a run's result. */
export const EXPORTS = ["benchstat", "csv-long", "csv-wide", "json", "markdown", "html", "report"] as const;

export const GROUP_EXPORTS = [
  { format: "csv", label: "CSV", about: "one line per metric, cell and host" },
  { format: "json", label: "JSON", about: "everything, exact" },
  { format: "markdown", label: "Markdown", about: "for a ticket or a post" },
] as const;

/** The formats of a comparison of several runs. */
export const MATRIX_EXPORTS = ["csv", "json", "markdown"] as const;

/** A chart as an image. */
export const IMAGES = [{ format: "png" }, { format: "svg" }] as const;

export type ImageFormat = (typeof IMAGES)[number]["format"];
export type ImageTheme = "light" | "dark";
/** The address of a chart's image, in a format and a theme. */
export type ImageHref = (format: ImageFormat, theme: ImageTheme) => string;

type RunImage = NonNullable<ExportRunData["query"]>;
type TrialImage = NonNullable<ExportTrialData["query"]>;

/** What an image of a result shows. */
export type ImageChoice = Omit<RunImage, "theme" | "kind"> & { kind: NonNullable<RunImage["kind"]> };

/** Addresses are relative to the page's origin. */
const baseUrl = "";

/** The formats that people read; the others are for programs. */
const READ: readonly string[] = ["report", "html", "png", "svg"];

/** A file is in the page's language, where it has texts for readers; English is the server's own default. */
function inLanguage<Query extends object>(format: string, query: Query): Query & { language?: "zh" } {
  return READ.includes(format) && language() === "zh" ? { ...query, language: "zh" } : query;
}

export function exportUrl(runId: string, format: ExportRunData["path"]["format"], image: RunImage = {}): string {
  return client.buildUrl<ExportRunData>({ baseUrl, url: "/api/v1/runs/{run_id}/exports/{format}", path: { run_id: runId, format }, query: inLanguage(format, image) });
}

export function imageUrl(runId: string, format: ImageFormat, theme: ImageTheme, choice: ImageChoice): string {
  return exportUrl(runId, format, { ...choice, theme });
}

/** The image addresses of one chart of a trial. */
export function trialImage(trialId: string, kind: NonNullable<TrialImage["kind"]>): ImageHref {
  return (format, theme) => client.buildUrl<ExportTrialData>({ baseUrl, url: "/api/v1/trials/{trial_id}/exports/{format}", path: { trial_id: trialId, format }, query: inLanguage(format, { kind, theme }) });
}

/** The image addresses of the ratios of one metric of a comparison. */
export function comparisonImage(compared: Omit<ExportComparisonData["query"], "theme" | "metric">, metric: string): ImageHref {
  return (format, theme) => client.buildUrl<ExportComparisonData>({ baseUrl, url: "/api/v1/comparisons/exports/{format}", path: { format }, query: inLanguage(format, { ...compared, metric, theme }) });
}

export function matrixExportUrl(query: ExportComparisonMatrixData["query"], format: (typeof MATRIX_EXPORTS)[number]): string {
  return client.buildUrl<ExportComparisonMatrixData>({ baseUrl, url: "/api/v1/comparisons/matrix/exports/{format}", path: { format }, query });
}

export function groupExportUrl(groupId: string, format: ExportRunGroupData["path"]["format"], image: NonNullable<ExportRunGroupData["query"]> = {}): string {
  return client.buildUrl<ExportRunGroupData>({ baseUrl, url: "/api/v1/run-groups/{group_id}/exports/{format}", path: { group_id: groupId, format }, query: inLanguage(format, image) });
}

/** The image addresses of the ratios of one metric of a group of runs. */
export function groupImage(groupId: string, metric: string): ImageHref {
  return (format, theme) => groupExportUrl(groupId, format, { metric, theme });
}

export function commandsUrl(runId: string, cellId: string): string {
  return client.buildUrl<ReadCellCommandsData>({ baseUrl, url: "/api/v1/runs/{run_id}/cells/{cell_id}/commands", path: { run_id: runId, cell_id: cellId } });
}

export function trialRawUrl(trialId: string): string {
  return client.buildUrl<GetTrialRawData>({ baseUrl, url: "/api/v1/trials/{trial_id}/raw", path: { trial_id: trialId } });
}
