import { useQuery } from "@tanstack/react-query";
import { comparisonImage } from "@/api/exports";
import { queries } from "@/api/queries";
import type { Run } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatZonedTime } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { Failure, Loading, Note } from "@/components/Status";
import { useAddress, type AddressChanges } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { choiceOf, comparisonQuery, conflictOf, proposedRun, type Choice } from "./choice";
import { messages } from "@/messages";
import { isMatrix, withColumns } from "./columns";
import { ComparisonView } from "./ComparisonView";
import { MatrixPage } from "./MatrixPage";
import { RunPicker } from "./RunPicker";
import { useComparable } from "./useComparable";

const t = messages("compare");
const NONE = { a: "", b: "" };

/** A run of the address. */
const chosen = (id: string | null) => ({ ...queries.run(id ?? ""), enabled: id !== null, retry: false });

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
  const runs = { a: useQuery(chosen(choice.a)).data, b: useQuery(chosen(choice.b)).data };
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
      <RunPicker choice={choice} runs={runs} models={{ a, b }} onChange={change} />
      {failed.map((each) => <Failure key={each.id} error={each.query.error} retry={() => void each.query.refetch()} />)}
      <Proposal choice={choice} known={runs.a ?? runs.b} onChange={change} />
      {compared !== null && found.isPending && <Loading label={t("comparing")} rows={8} />}
      {compared !== null && found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      {compared !== null && found.data && !found.isError && <ComparisonView model={found.data} metric={choice.metric} again={rerunHref(runs.b)} image={(metric) => comparisonImage(compared, metric)} onChange={change} />}
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
function Proposal({ choice, known, onChange }: { choice: Choice; known: Run | undefined; onChange: (changes: Record<string, string | null>) => void }) {
  const conflict = conflictOf(choice);
  if (conflict === "one cell") return <Note tone="info">{t("areSameCell")}</Note>;
  if (conflict === "one run")
    return (
      <Note tone="info">
        {t("areSameRun")} <Button onClick={() => onChange({ a_cell: "", b_cell: "" })}>{t("compareTwoCells")}</Button>
      </Note>
    );
  if (choice.cells || (choice.a !== null && choice.b !== null)) return null;
  if (choice.a === null && choice.b === null) return <Note tone="info">{t("chooseTwoRuns")}</Note>;
  return known ? <Other known={known} onChoose={(id) => onChange({ ...(choice.a === null ? { a: id } : { b: id }), basis: null, override: null })} /> : null;
}

/** Proposes the newest other run of a run's experiment. */
function Other({ known, onChoose }: { known: Run; onChoose: (id: string) => void }) {
  const { runs, loading, failed } = useComparable("", known);
  const other = proposedRun(runs, known);
  if (!other) return loading || failed ? null : <Note tone="info">{t("noOtherRun")}</Note>;
  return (
    <p>
      <Button kind="primary" onClick={() => onChoose(other.id)}>
        {t("compareWithNewest", { at: formatZonedTime(other.created_at), host: other.host })}
      </Button>
    </p>
  );
}
