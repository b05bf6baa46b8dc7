import type { TermProblem } from "@/api/generated";
import { Autocomplete } from "@/components/Autocomplete";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { completed, replaced } from "./completion";
import styles from "./LibraryPage.module.css";
import { useTerms, type useSearch } from "./useLibrary";

const t = messages("library");
const MOST_CHOICES = 10;

/** The text of the search with completion of keys and values, and what in it was not understood. */
export function SearchBar({ search, problems }: { search: ReturnType<typeof useSearch>; problems: readonly TermProblem[] }) {
  const terms = useTerms(search.typed);
  const suggestions = completed(search.typed, terms).filter((text) => text.trim() !== search.typed.trim());
  return (
    <div role="search" aria-label={t("search")} className={styles.search} data-library-search>
      <Autocomplete label={t("search")} labelHidden searched value={search.typed} onChange={search.type} suggestions={suggestions} placeholder={t("searchPlaceholder")} maxLength={500} onEnter={() => search.apply(search.typed)} hint={<RichText namespace="library" id="searchHint" parts={{ c: <code /> }} />} />
      {problems.length > 0 && (
        <ul className={styles.problems} role="status" aria-label={t("problems")}>
          {problems.map((problem) => (
            <li key={problem.term}>
              {t(MESSAGES[problem.code], { term: problem.term })}{" "}
              {problem.choices.slice(0, MOST_CHOICES).map((choice) => (
                <button key={choice} type="button" onClick={() => search.apply(replaced(search.query, problem.term, corrected(problem, choice)))}>
                  {choice}
                </button>
              ))}
              <button type="button" onClick={() => search.apply(replaced(search.query, problem.term, ""))}>{t("removeTerm")}</button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const MESSAGES = {
  unknown_key: "problemKey",
  unknown_value: "problemValue",
  bad_date: "problemDate",
  empty_value: "problemEmpty",
  open_quote: "problemQuote",
  too_many: "problemMany",
} as const;

/** The term with another value, or with another key before the same value. */
function corrected({ term, code }: TermProblem, choice: string): string {
  const colon = term.indexOf(":");
  return code === "unknown_key" ? choice + term.slice(colon + 1) : `${term.slice(0, colon + 1)}${choice}`;
}
