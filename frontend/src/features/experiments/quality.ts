/** How quiet the host must be for a trial to be valid: the definition's `quality`. Pure. */
import type { ExperimentDraft } from "@/api/draft";
import type { Quality } from "@/api/generated";

/** The server's defaults: a definition that names none of them has these. */
export const QUALITY: Required<Quality> = { wait_for_quiet_s: 10, max_other_cores: 0.15, max_steal: 0.05, retakes: 2 };

export function qualityOf(document: ExperimentDraft): Required<Quality> {
  return { ...QUALITY, ...document.quality };
}

/** The document with some of the limits changed; what is as usual is not written out. */
export function withQuality(document: ExperimentDraft, changes: Quality): ExperimentDraft {
  const quality = { ...qualityOf(document), ...changes };
  const next = { ...document };
  if (JSON.stringify(quality) === JSON.stringify(QUALITY)) delete next.quality;
  else next.quality = quality;
  return next;
}

/** "wait up to 10 s, at most 0.15 cores …": the limits in a few words. */
export function formatQuality(quality: Required<Quality>): string {
  const limits = [
    ...(quality.max_other_cores === null ? [] : [`other processes up to ${quality.max_other_cores} cores`]),
    ...(quality.max_steal === null ? [] : [`steal up to ${Number((quality.max_steal * 100).toPrecision(3))} %`]),
  ];
  if (limits.length === 0) return "no limit";
  return `${limits.join(", ")}; waits up to ${quality.wait_for_quiet_s} s; ${quality.retakes === 0 ? "no trial repeated" : `repeated up to ${quality.retakes} ${quality.retakes === 1 ? "time" : "times"}`}`;
}
