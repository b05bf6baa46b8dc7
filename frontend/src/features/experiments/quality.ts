/** The limits on host noise: the definition's `quality`. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { Quality } from "@/api/generated";

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
export function formatQuality(quality: Required<Quality>): string {
  const limits = [
    ...(quality.max_other_cores === null ? [] : [`other processes up to ${quality.max_other_cores} cores`]),
    ...(quality.max_steal === null ? [] : [`steal up to ${Number((quality.max_steal * 100).toPrecision(3))} %`]),
  ];
  if (limits.length === 0) return "no limit";
  return `${limits.join(", ")}; waits up to ${quality.wait_for_quiet_s} s; ${quality.retakes === 0 ? "no trial repeated" : `repeated up to ${quality.retakes} ${quality.retakes === 1 ? "time" : "times"}`}`;
}
