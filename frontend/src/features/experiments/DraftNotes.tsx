import { useState } from "react";
import { Button } from "@/components/Button";
import { formatZonedTime } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./DraftNotes.module.css";
import type { Draft } from "./useDraft";

const t = messages("experiments");

function timeOf(at: number): string {
  return formatZonedTime(new Date(at).toISOString());
}

/** That a draft was restored, and the drafts of other tabs and earlier visits; nothing where there are none. */
export function DraftNotes({ draft: { restoredAt, others, isKept, take, drop, discard } }: { draft: Draft }) {
  const [closed, setClosed] = useState(false);
  if (closed || (restoredAt === null && others.length === 0 && isKept)) return null;
  return (
    <div data-notes="">
      {!isKept && <Note tone="warn">{t("draftNotKept")}</Note>}
      {restoredAt !== null && (
        <Note tone="info">
          <div className={styles.draft}>
            <span>{t("draftRestored", { time: timeOf(restoredAt) })}</span>
            <Button onClick={discard}>{t("draftDiscard")}</Button>
            <Button kind="ghost" onClick={() => setClosed(true)}>{t("close")}</Button>
          </div>
        </Note>
      )}
      {others.length > 0 && (
        <Note tone="info">
          <p>{t("draftsOther", { count: others.length })}</p>
          <ul className={styles.drafts}>
            {others.map((draft) => (
              <li key={draft.key} className={styles.draft}>
                <span>
                  {timeOf(draft.at)} <bdi className={styles.title}>{titleOf(draft.text)}</bdi>
                </span>
                <Button aria-label={t("draftTakeOf", { time: timeOf(draft.at) })} onClick={() => take(draft)}>
                  {t("draftTake")}
                </Button>
                <Button kind="ghost" aria-label={t("draftDropOf", { time: timeOf(draft.at) })} onClick={() => drop(draft)}>
                  {t("draftDiscard")}
                </Button>
              </li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  );
}

/** Returns the title in a text, which need not be YAML. */
function titleOf(text: string): string {
  return /^title: *["']?(.*?)["']? *$/m.exec(text)?.[1]?.slice(0, 80) ?? "";
}
