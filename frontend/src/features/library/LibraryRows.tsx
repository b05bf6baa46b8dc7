import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useLayoutEffect, useRef, useState } from "react";
import type { LibraryRun } from "@/api/generated";
import { Button } from "@/components/Button";
import { useNow } from "@/components/useNow";
import { messages } from "@/messages";
import { LibraryRow, type RowActions } from "./LibraryRow";
import styles from "./LibraryRows.module.css";
import { useRowKeys } from "./useRowKeys";

const t = messages("library");
/** From this number on only the rows near the visible part are in the document. */
const VIRTUAL_FROM = 100;
const ROW_PX = 96;

interface Props extends RowActions {
  query: string;
  runs: readonly LibraryRun[];
  chosen: ReadonlySet<string>;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

/** The runs that match. j and k move between them. Memoised: keys in the search render them again only with an answer. */
export const LibraryRows = memo(function LibraryRows({ query, runs, chosen, more, loadingMore, ...actions }: Props) {
  const now = useNow();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [runs.length]);
  const isVirtual = runs.length > VIRTUAL_FROM;
  const virtual = useWindowVirtualizer({ count: isVirtual ? runs.length : 0, estimateSize: () => ROW_PX, overscan: 8, scrollMargin: top, getItemKey: (index) => runs[index]?.id ?? index });
  useRowKeys(list, query, runs, { onToggle: actions.onToggle, scrollTo: isVirtual ? (index) => virtual.scrollToIndex(index, { align: "auto" }) : undefined });
  const items = virtual.getVirtualItems();
  const shown = isVirtual ? items.flatMap(({ index }) => (runs[index] ? [{ run: runs[index], index }] : [])) : runs.map((run, index) => ({ run, index }));
  const before = isVirtual ? (items[0]?.start ?? top) - top : 0;
  const after = isVirtual ? virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top) : 0;
  return (
    <>
      <ul ref={list} className={styles.rows} aria-label={t("runs")} style={{ paddingTop: before, paddingBottom: after }}>
        {shown.map(({ run, index }) => (
          <LibraryRow key={run.id} run={run} index={index} all={runs.length} isChosen={chosen.has(run.id)} now={now} measure={isVirtual ? virtual.measureElement : undefined} {...actions} />
        ))}
      </ul>
      {more && (
        <Button kind="ghost" busy={loadingMore} onClick={more}>
          {t("older")}
        </Button>
      )}
    </>
  );
});
