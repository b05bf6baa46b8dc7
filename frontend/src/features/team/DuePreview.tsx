import type { Due } from "@/api/generated";
import { formatBytes, formatTime, plural } from "@/components/format";
import { Note } from "@/components/Status";

/** What a retention would delete at once; `isNow`: it is in effect. */
export function DuePreview({ due, isNow }: { due: Due; isNow: boolean }) {
  const kept = due.starred_runs > 0 && ` ${plural(due.starred_runs, "starred run")} as old ${due.starred_runs === 1 ? "is" : "are"} kept.`;
  if (due.runs === 0) return <Note tone="info">No run is that old now: nothing {isNow ? "waits for deletion" : "would be deleted at once"}.{kept}</Note>;
  return (
    <Note tone="warn">
      <strong>{plural(due.runs, "run")}</strong> with {formatBytes(due.stored_bytes)} {isNow ? "wait for deletion" : "would be deleted within minutes"}; the oldest ended {formatTime(due.oldest_finished_at)}.{kept}
    </Note>
  );
}
