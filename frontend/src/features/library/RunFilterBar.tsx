import { useState } from "react";
import type { RunFilter } from "@/api/queries";
import { Button } from "@/components/Button";
import { Toggle } from "@/components/Toggle";
import styles from "./RunList.module.css";
import { tagOf } from "./useRunFilter";

const WHICH = [
  { value: "all", label: "All" },
  { value: "starred", label: "★ Starred" },
] as const;

interface Props {
  filter: RunFilter;
  onFilter: (next: RunFilter) => void;
  /** Tags to propose. */
  tags: readonly string[];
}

/** The choice of starred runs and of a tag. */
export function RunFilterBar({ filter, onFilter, tags }: Props) {
  const [text, setText] = useState("");
  const { tag, ...others } = filter;
  const wanted = tagOf(text);
  return (
    <div className={styles.filter} role="search" aria-label="Runs">
      <Toggle label="Runs shown" options={WHICH} value={filter.starred ? "starred" : "all"} onChange={(value) => onFilter({ ...(tag && { tag }), ...(value === "starred" && { starred: true as const }) })} />
      {tag ? (
        <Button kind="ghost" onClick={() => onFilter(others)} aria-label={`Show runs without the tag ${tag}, too`}>
          {tag} ✕
        </Button>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!wanted) return;
            setText("");
            onFilter({ ...filter, tag: wanted });
          }}
        >
          <input aria-label="Tag" placeholder="tag" list="run-tags" value={text} maxLength={40} spellCheck={false} autoCapitalize="none" aria-invalid={text !== "" && !wanted} onChange={(event) => setText(event.target.value)} />
          <datalist id="run-tags">{tags.map((each) => <option key={each} value={each} />)}</datalist>
          <Button type="submit" kind="ghost" disabled={!wanted}>
            Filter
          </Button>
        </form>
      )}
    </div>
  );
}
