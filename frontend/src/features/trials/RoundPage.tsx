import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";

/** Redirects from a cell and a round to the page of the trial. */
export function RoundPage() {
  const { runId = "", cellId = "", round = "" } = useParams();
  const trials = useQuery(queries.cellTrials(runId, cellId));
  useTitle(`Round ${round}`);
  const cell = `/runs/${runId}/cells/${encodeURIComponent(cellId)}`;
  const crumbs = [{ label: "Start", to: "/" }, { label: "Run", to: `/runs/${runId}` }, { label: `Cell ${cellId}`, to: cell }, { label: `Round ${round}` }];
  if (!trials.data) return <PageStatus query={trials} crumbs={crumbs} title={`Round ${round}`} label="Loading the trial" />;
  const found = trials.data.find((trial) => String(trial.round) === round);
  if (found) return <Navigate replace to={`/runs/${runId}/trials/${found.id}`} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={`Round ${round}`} />
      <Note tone="warn">This cell has no trial in round {round}.</Note>
    </>
  );
}
