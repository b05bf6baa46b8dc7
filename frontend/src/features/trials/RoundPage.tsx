import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";

const t = messages("trials");

/** Redirects from a cell and a round to the page of the trial. */
export function RoundPage() {
  const { runId = "", cellId = "", round = "" } = useParams();
  const trials = useQuery(queries.cellTrials(runId, cellId));
  useTitle(t("round", { round }));
  const cell = `/runs/${runId}/cells/${encodeURIComponent(cellId)}`;
  const crumbs = [{ label: t("start"), to: "/" }, { label: t("run"), to: `/runs/${runId}` }, { label: t("cell", { cell: cellId }), to: cell }, { label: t("round", { round }) }];
  if (!trials.data) return <PageStatus query={trials} crumbs={crumbs} title={t("round", { round })} label={t("loading")} />;
  const found = trials.data.find((trial) => String(trial.round) === round);
  if (found) return <Navigate replace to={`/runs/${runId}/trials/${found.id}`} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={t("round", { round })} />
      <Note tone="warn">{t("noTrialInRound", { round })}</Note>
    </>
  );
}
