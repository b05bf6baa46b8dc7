import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { Empty, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { withTerm } from "./completion";
import styles from "./LibraryPage.module.css";
import { LibraryRows } from "./LibraryRows";
import { NoteDialog } from "./NoteDialog";
import { SavedViews } from "./SavedViews";
import { ScriptButton } from "./ScriptButton";
import { SearchBar } from "./SearchBar";
import { SelectionBar } from "./SelectionBar";
import { useMatches, useSearch } from "./useLibrary";
import { useNotes } from "./useNotes";

const t = messages("library");

/** The runs of the team: found by one search, which the address holds; starred, tagged, archived and deleted, several at once. */
export function LibraryPage() {
  useTitle(t("title"));
  const search = useSearch();
  const matches = useMatches(search.query);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const runs = useMemo(() => matches.data?.pages.flatMap(({ data }) => data) ?? [], [matches.data]);
  const [first] = matches.data?.pages ?? [];
  const selected = runs.filter(({ id }) => chosen.has(id));
  // These stay the same, so that a key in the search renders no row again.
  const toggle = useCallback((id: string) => setChosen((known) => (known.has(id) ? new Set([...known].filter((each) => each !== id)) : new Set([...known, id]))), []);
  const notes = useNotes();
  const mayWrite = useMay("write");
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  const addTerm = useCallback((term: string) => latest.current.apply(withTerm(latest.current.query, term)), []);
  const { fetchNextPage } = matches;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <>
      <PageHead
        crumbs={[{ label: t("home"), to: "/" }, { label: t("title") }]}
        title={t("title")}
        actions={
          <>
            <ScriptButton query={search.query} />
            <ButtonLink to="/run-groups" kind="ghost">{t("severalHosts")}</ButtonLink>
            <ButtonLink to="/compare" kind="ghost">{t("compareRuns")}</ButtonLink>
          </>
        }
      />
      <SearchBar search={search} problems={first?.problems ?? []} />
      <SavedViews query={search.query} onOpen={search.apply} />
      <QueryStatus query={matches} label={t("loading")} rows={8} />
      {first && (
        <p className={styles.total} role="status">
          {first.total !== null && (first.total >= 1000 ? t("totalMany", { count: first.total }) : t("total", { count: first.total }))}
        </p>
      )}
      {selected.length > 0 && <SelectionBar runs={selected} onDone={() => setChosen(new Set())} />}
      {first && runs.length === 0 && <NoRun query={search.query} onClear={() => search.apply("")} />}
      <LibraryRows query={search.query} runs={runs} chosen={chosen} onToggle={toggle} onTerm={addTerm} onNote={mayWrite ? notes.edit : undefined} more={matches.hasNextPage ? more : undefined} loadingMore={matches.isFetchingNextPage} />
      <NoteDialog notes={notes} />
    </>
  );
}

/** In place of runs: none matches, or there is none yet. */
function NoRun({ query, onClear }: { query: string; onClear: () => void }) {
  const mayWrite = useMay("write");
  if (query) {
    return (
      <Empty level={2} title={t("noMatch")}>
        <p>{t("noMatchText")}</p>
        <button type="button" className={styles.link} onClick={onClear}>{t("showAll")}</button>
      </Empty>
    );
  }
  return (
    <Empty level={2} title={t("noRun")}>
      <p>{mayWrite ? t("noRunText") : t("noRunTextViewer")}</p>
      <ButtonLink to="/new" kind="primary">{t("newExperiment")}</ButtonLink>
    </Empty>
  );
}
