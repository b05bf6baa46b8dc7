import { useQueries, useQuery } from "@tanstack/react-query";
import { ApiError } from "@/api/errors";
import type { Run } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { Empty, Failure, Loading, Note } from "@/components/Status";
import { useAddress } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { ColumnPicker } from "./ColumnPicker";
import { letter, matrixChoice, matrixQuery, repeated, withColumns, type MatrixChoice } from "./columns";
import { MatrixView } from "./MatrixView";

const t = messages("compare");

/** The page that compares several runs, or cells of them, with a reference column. */
export function MatrixPage() {
  const [query, change] = useAddress();
  const choice = matrixChoice(query);
  const compared = matrixQuery(choice);
  const ids = [...new Set(choice.columns.map(({ run }) => run))];
  const found = useQueries({ queries: ids.map((id) => ({ ...queries.run(id), retry: false })) });
  const runs = new Map<string, Run>(found.flatMap(({ data }) => (data ? [[data.id, data]] : [])));
  const gone = ids.filter((_, index) => isGone(found[index]?.error));
  const matrix = useQuery({ ...queries.comparisonMatrix(compared ?? { run: [] }), enabled: compared !== null && gone.length === 0, placeholderData: (before) => before });
  useTitle(t("matrixTitle"));
  return (
    <>
      <PageHead
        crumbs={[{ label: t("start"), to: "/" }, { label: t("compare") }]}
        title={t("matrixTitle")}
        meta={t("matrixMeta")}
        actions={
          choice.columns.length < 3 && (
            <Button kind="ghost" onClick={() => change(asPair(choice))}>
              {t("asPair")}
            </Button>
          )
        }
      />
      <ColumnPicker choice={choice} runs={runs} onChange={change} />
      {gone.length > 0 && <Gone choice={choice} gone={gone} onRemove={() => change(withColumns(choice, choice.columns.filter(({ run }) => !gone.includes(run)), 0))} />}
      <Incomplete choice={choice} />
      {compared !== null && gone.length === 0 && matrix.isPending && <Loading label={t("comparing")} rows={8} />}
      {compared !== null && gone.length === 0 && matrix.isError && <Failure error={matrix.error} retry={() => void matrix.refetch()} />}
      {compared !== null && gone.length === 0 && matrix.data && !matrix.isError && <MatrixView model={matrix.data} query={compared} stale={matrix.isPlaceholderData} onChange={change} />}
    </>
  );
}

/** Whether a run does not exist, or not for this team. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** The first two columns as the two runs of a pair; the reference is A. */
function asPair({ columns, reference, cells }: MatrixChoice) {
  const other = columns.find((_, index) => index !== reference);
  return {
    ...Object.fromEntries(["run", "cell", "reference", "view"].map((name) => [name, null])),
    a: columns[reference]?.run ?? null,
    b: other?.run ?? null,
    a_cell: cells ? (columns[reference]?.cell ?? "") : null,
    b_cell: cells ? (other?.cell ?? "") : null,
  };
}

/** What is still to be chosen. */
function Incomplete({ choice }: { choice: MatrixChoice }) {
  if (choice.columns.length === 0) return <Empty level={2} title={t("noColumns")}><p>{t("noColumnsText")}</p></Empty>;
  if (repeated(choice)) return <Note tone="info">{choice.cells ? t("sameCellTwice") : t("sameRunTwice")}</Note>;
  const without = choice.columns.flatMap(({ cell }, index) => (cell === "" ? [letter(index)] : []));
  if (without.length > 0) return <Note tone="info">{t("chooseCellsOf", { columns: without.join(", ") })}</Note>;
  return choice.columns.length < 2 ? <Note tone="info">{t("oneMoreColumn")}</Note> : null;
}

/** Columns whose run was deleted, or is another team's: the server answers both alike. */
function Gone({ choice, gone, onRemove }: { choice: MatrixChoice; gone: readonly string[]; onRemove: () => void }) {
  const letters = choice.columns.flatMap(({ run }, index) => (gone.includes(run) ? [letter(index)] : []));
  return (
    <Note tone="warn">
      {t("runsGone", { count: letters.length, columns: letters.join(", ") })} <Button onClick={onRemove}>{t("removeGone", { count: letters.length })}</Button>
    </Note>
  );
}
