/** The files of a result in words. */
import { EXPORTS } from "@/api/exports";
import { messages } from "@/messages";

const t = messages("runs");

interface ExportText {
  format: (typeof EXPORTS)[number];
  label: string;
  about: string;
}

export function exportTexts(): ExportText[] {
  const texts: Record<(typeof EXPORTS)[number], readonly [label: string, about: string]> = {
    benchstat: [t("exportBenchstat"), t("exportBenchstatAbout")],
    "csv-long": [t("exportCsvLong"), t("exportCsvLongAbout")],
    "csv-wide": [t("exportCsvWide"), t("exportCsvWideAbout")],
    json: ["JSON", t("exportJsonAbout")],
    markdown: ["Markdown", t("exportMarkdownAbout")],
    html: [t("exportHtml"), t("exportHtmlAbout")],
    report: [t("exportReport"), t("exportReportAbout")],
  };
  return EXPORTS.map((format) => ({ format, label: texts[format][0], about: texts[format][1] }));
}
