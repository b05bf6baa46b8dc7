import { useQuery } from "@tanstack/react-query";
import { comparisonImage } from "@/api/exports";
import { queries } from "@/api/queries";
import type { Run } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatTime } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { Failure, Loading, Note, QueryStatus } from "@/components/Status";
import { useAddress, type AddressChanges } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { choiceOf, comparisonQuery, conflictOf, proposedRun, type Choice } from "./choice";
import { messages } from "@/messages";
import { isMatrix, withColumns } from "./columns";
import { ComparisonView } from "./ComparisonView";
import { MatrixPage } from "./MatrixPage";
import { RunPicker } from "./RunPicker";

const t = messages("compare");
const LISTED = 100;
const NONE = { a: "", b: "" };

/** Loads a run of the address that is not in the list. */
function useRun(id: string | null, listed: readonly Run[] | undefined) {
  const missing = id !== null && listed !== undefined && !listed.some((run) => run.id === id);
  return useQuery({ ...queries.run(id ?? ""), enabled: missing }).data;
}

/** The page of comparisons: of several runs in columns, or of a pair. */
export function ComparePage() {
  const [query] = useAddress();
  return isMatrix(query) ? <MatrixPage /> : <PairPage />;
}

/** The page that compares two runs, or two cells. */
function PairPage() {
  const [query, change] = useAddress();
  const choice = choiceOf(query);
  const compared = comparisonQuery(choice);
  const list = useQuery(queries.newestRuns(LISTED));
  const more = [useRun(choice.a, list.data?.data), useRun(choice.b, list.data?.data)].filter((run) => run !== undefined);
  const runs = [...(list.data?.data ?? []), ...more];
  const model = (id: string | null) => ({ ...queries.result(id ?? ""), enabled: choice.cells && id !== null });
  const a = useQuery(model(choice.a));
  const b = useQuery(model(choice.b));
  const failed = [{ id: choice.a, query: a }, { id: choice.b, query: b }].filter(({ id, query: { isError, data } }, index) => isError && !data && (index === 0 || id !== choice.a));
  const found = useQuery({ ...queries.comparison(compared ?? NONE), enabled: compared !== null });
  const title = choice.cells ? t("pairOfCellsTitle") : t("pairTitle");
  useTitle(title);
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("compare") }]} title={title} meta={t("pairMeta")} actions={<Button kind="ghost" onClick={() => change(asColumns(choice))}>{t("severalRuns")}</Button>} />
      <QueryStatus query={list} label={t("loadingRuns")} />
      {list.data && <RunPicker runs={runs} choice={choice} newest={list.data.next_cursor === null ? null : list.data.data.length} models={{ a, b }} onChange={change} />}
      {failed.map((each) => <Failure key={each.id} error={each.query.error} retry={() => void each.query.refetch()} />)}
      {list.data && <Proposal runs={runs} choice={choice} onChange={change} />}
      {compared !== null && found.isPending && <Loading label={t("comparing")} rows={8} />}
      {compared !== null && found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      {compared !== null && found.data && !found.isError && <ComparisonView model={found.data} metric={choice.metric} again={rerunHref(runs.find(({ id }) => id === choice.b))} image={(metric) => comparisonImage(compared, metric)} onChange={change} />}
    </>
  );
}

/** The address of the same runs or cells as columns, to which others can be added. */
function asColumns({ a, b, aCell, bCell, cells }: Choice): AddressChanges {
  const sides = [{ run: a, cell: aCell }, { run: b, cell: bCell }].flatMap(({ run, cell }) => (run === null ? [] : [{ run, cell: cells ? (cell ?? "") : null }]));
  return withColumns({ columns: [], cells, reference: 0, basis: null, metric: null, override: false }, sides);
}

/** Returns the address of a new run of a measured run's experiment. */
function rerunHref(run: Run | undefined): string | undefined {
  return run && run.origin !== "imported" ? `/new?experiment=${run.experiment_id}` : undefined;
}

/** A button that completes the choice with the most likely run, or what to choose. */
function Proposal({ runs, choice, onChange }: { runs: readonly Run[]; choice: Choice; onChange: (changes: Record<string, string | null>) => void }) {
  const conflict = conflictOf(choice);
  if (conflict === "one cell") return <Note tone="info">{t("areSameCell")}</Note>;
  if (conflict === "one run")
    return (
      <Note tone="info">
        {t("areSameRun")} <Button onClick={() => onChange({ a_cell: "", b_cell: "" })}>{t("compareTwoCells")}</Button>
      </Note>
    );
  if (choice.cells || (choice.a !== null && choice.b !== null)) return null;
  const known = runs.find((run) => run.id === (choice.a ?? choice.b));
  const other = proposedRun(runs, known);
  if (!known) return <Note tone="info">{t("chooseTwoRuns")}</Note>;
  if (!other) return <Note tone="info">{t("noOtherRun")}</Note>;
  return (
    <p>
      <Button kind="primary" onClick={() => onChange({ ...(choice.a === null ? { a: other.id } : { b: other.id }), basis: null, override: null })}>
        {t("compareWithNewest", { at: formatTime(other.started_at ?? other.created_at), host: other.host })}
      </Button>
    </p>
  );
}
