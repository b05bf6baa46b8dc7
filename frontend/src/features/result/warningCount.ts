/** The number of warnings of a result: kinds of notices, and checks that found something. Pure. */
import type { ChartModel } from "@/api/generated";
import { groupNotices } from "@/components/notices";

export function warningCount({ notices = [], cells, quality, duplicates, drifts }: ChartModel): number {
  const kinds = groupNotices(
    notices.filter(({ sentence }) => sentence !== quality?.sentence),
    cells.map(({ id, label, notices: own = [] }) => ({ id, label, notices: own, href: null })),
  );
  const checks = [quality?.sentence != null, duplicates.some(({ suspect }) => suspect), drifts.some(({ significant }) => significant)];
  return kinds.length + checks.filter(Boolean).length;
}
