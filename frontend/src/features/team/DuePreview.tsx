import type { Due } from "@/api/generated";
import { formatBytes, formatTime } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("team");

/** What a retention would delete at once; `isNow`: it is in effect. */
export function DuePreview({ due, isNow }: { due: Due; isNow: boolean }) {
  const kept = due.starred_runs > 0 && ` ${t("starredKept", { count: due.starred_runs })}`;
  if (due.runs === 0) return <Note tone="info">{t(isNow ? "noneDueNow" : "noneDue")}{kept}</Note>;
  const values = { count: due.runs, bytes: formatBytes(due.stored_bytes), at: formatTime(due.oldest_finished_at) };
  return (
    <Note tone="warn">
      <RichText namespace="team" id={isNow ? "dueNow" : "due"} values={values} parts={{ strong: <strong /> }} />
      {kept}
    </Note>
  );
}
