/** The limits on host noise: the definition's `quality`. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { Quality } from "@/api/generated";
import { formatPercent } from "@/components/format";
import { messages } from "@/messages";

const t = messages("experiments");

/** The server's defaults for missing limits. */
export const QUALITY: Required<Quality> = { wait_for_quiet_s: 10, max_other_cores: 0.15, max_steal: 0.05, retakes: 2 };

export function qualityOf(document: ExperimentDraft): Required<Quality> {
  return { ...QUALITY, ...document.quality };
}

/** Returns the document with some limits changed; defaults are not written. */
export function withQuality(document: ExperimentDraft, changes: Quality): ExperimentDraft {
  const quality = { ...qualityOf(document), ...changes };
  const next = { ...document };
  if (JSON.stringify(quality) === JSON.stringify(QUALITY)) delete next.quality;
  else next.quality = quality;
  return next;
}

/** Formats the limits: "other processes up to 0.15 cores, steal up to 5 %; …". */
export function formatQuality({ max_other_cores: cores, max_steal: steal, wait_for_quiet_s: seconds, retakes }: Required<Quality>): string {
  if (cores === null && steal === null) return t("qualityNone");
  const limits = cores === null ? "qualitySteal" : steal === null ? "qualityCores" : "qualityBoth";
  const allowed = t(limits, { cores: cores ?? 0, steal: formatPercent(steal) });
  return retakes === 0 ? t("qualityOnce", { allowed, seconds }) : t("qualityRepeated", { allowed, seconds, count: retakes });
}
