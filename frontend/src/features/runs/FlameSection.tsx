import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { queries } from "@/api/queries";
import { serverText } from "@/components/serverText";
import { Loading, Note, QueryStatus } from "@/components/Status";
import { messages, withMessages } from "@/messages";

const t = messages("runs");
const FlameCard = lazy(() => withMessages(import("@/charts/flame/FlameCard")));
const POLL_MS = 5000;

/** The CPU profile of a cell, or why there is none; nothing where the experiment asks for none. */
export function FlameSection({ runId, cellId, label }: { runId: string; cellId: string; label: string }) {
  const profile = useQuery({
    ...queries.cellProfile(runId, cellId),
    refetchInterval: ({ state }) => (state.data?.state === "waiting" || state.data?.state === "running" ? POLL_MS : false),
  });
  if (!profile.data) return profile.error ? <QueryStatus query={profile} label={t("profileLoading")} /> : null;
  const { state, reason, profile: found } = profile.data;
  if (state === "not_requested") return null;
  if (state === "waiting") return <Note tone="info">{t("profileWaiting")}</Note>;
  if (state === "running") return <Note tone="info">{t("profileRunning")}</Note>;
  if (!found) return <Note tone="warn">{t("profileNotTaken", { reason: serverText(reason?.detail ?? "", reason?.detail_message) })}</Note>;
  return (
    <Suspense fallback={<Loading label={t("profileLoading")} rows={8} />}>
      <FlameCard profile={found} name={label} />
    </Suspense>
  );
}
