import { memo } from "react";
import { Link } from "react-router";
import type { LibraryRun } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { isTerminal } from "@/api/states";
import { VerdictPicture } from "@/charts/VerdictPicture";
import { ExclusionBadge } from "@/components/ExclusionBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { StarButton } from "@/components/StarButton";
import { StateBadge } from "@/components/State";
import { IMPORTED, RUN_STATES } from "@/components/stateLabels";
import { VerdictLine } from "@/components/VerdictLine";
import { messages } from "@/messages";
import styles from "./LibraryRows.module.css";
import { RunNote } from "./RunNote";

const t = messages("library");

export interface RowActions {
  onToggle: (id: string) => void;
  /** Adds a term to the search. */
  onTerm: (term: string) => void;
  /** Opens the note of a run; undefined for who may not change it. */
  onNote: ((run: LibraryRun) => void) | undefined;
}

interface Props extends RowActions {
  run: LibraryRun;
  index: number;
  all: number;
  isChosen: boolean;
  now: number;
  measure: ((element: Element | null) => void) | undefined;
}

/** One run: what it found, its note and tags, and why trials of it are excluded. */
export const LibraryRow = memo(function LibraryRow({ run, index, all, isChosen, now, measure, onToggle, onTerm, onNote }: Props) {
  return (
    <li ref={measure} data-index={index} aria-setsize={all} aria-posinset={index + 1} className={styles.row} data-chosen={isChosen || undefined}>
      <input type="checkbox" aria-label={t("select", { title: run.title })} checked={isChosen} onChange={() => onToggle(run.id)} />
      <StarButton runId={run.id} title={run.title} />
      <div className={styles.text}>
        <Link to={`/runs/${run.id}`} className={styles.title} data-row-link>
          {run.title}
        </Link>
        <span className={styles.meta}>
          <button type="button" title={t("onlyHost", { host: run.host })} onClick={() => onTerm(term("host", run.host))}>{run.host}</button>
          <RelativeTime value={run.created_at} now={now} />
          {run.author && <button type="button" title={t("onlyAuthor", { author: run.author })} onClick={() => onTerm(term("author", run.author))}>{run.author}</button>}
          <StateBadge label={RUN_STATES[run.state]} />
          {run.origin === "imported" && <StateBadge label={IMPORTED} />}
          {run.archived && <StateBadge label={{ glyph: "▣", word: t("archived"), tone: "quiet" }} />}
          {run.group_id && <Link to={`/run-groups/${run.group_id}`}>{t("oneOfGroup")}</Link>}
          {run.origin === "measured" && isTerminal(run.state) && <Link to={historyHref(run.experiment_id, run.host)} aria-label={t("historyOf", { title: run.title })}>{t("history")}</Link>}
          {run.tags.map((tag) => (
            <button key={tag} type="button" className={styles.tag} title={t("onlyTag", { tag })} onClick={() => onTerm(`tag:${tag}`)}>
              {tag}
            </button>
          ))}
          {onNote && (
            <button type="button" data-note aria-label={t(run.note ? "editNoteOf" : "addNoteTo", { title: run.title })} onClick={() => onNote(run)}>
              {run.note ? t("editNote") : t("addNote")}
            </button>
          )}
        </span>
        {run.verdict && <VerdictLine verdict={run.verdict} />}
        {!run.verdict && run.verdict_due && <p className={styles.quiet}>{t("verdictDue")}</p>}
        <ExclusionBadge exclusions={run.exclusions} />
        {run.note && <RunNote run={run} />}
      </div>
      {run.verdict && <VerdictPicture verdict={run.verdict} />}
    </li>
  );
});

function term(key: string, value: string): string {
  return /[\s,]/.test(value) ? `${key}:"${value}"` : `${key}:${value}`;
}
