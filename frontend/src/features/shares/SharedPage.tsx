import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useParams } from "react-router";
import type { SharedResult } from "@/api/generated";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { formatZonedTime } from "@/components/format";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { AnswerHead } from "@/features/result/AnswerHead";
import { ResultView } from "@/features/result/ResultView";
import styles from "./SharedPage.module.css";

const t = messages("shares");
const EVERY_MS = 10_000;

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** A shared result. The token is in the fragment or in the path, and is sent in a request's body. */
export function SharedPage() {
  const { token: inPath } = useParams();
  const fragment = useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
  const token = inPath ?? fragment;
  const share = useQuery({
    ...queries.share(token),
    enabled: token !== "",
    refetchInterval: (query) => isChanging(query.state.data) && EVERY_MS,
  });
  const title = share.data && (share.data.title ?? share.data.chart.title);
  useTitle(title === undefined ? t("shared") : t("sharedTitle", { title }));
  const { panels = null, mode } = share.data ?? {};
  const behind = useMemo(() => ({ token, panels, isLive: mode === "live" }), [token, panels, mode]);
  if (token === "") return <Nothing>{t("noFragment")}</Nothing>;
  if (share.isError && (!share.data || isRefusal(share.error)))
    return <Refused error={share.error} retry={() => void share.refetch()} />;
  if (!share.data) return <Loading label={t("loadingShared")} rows={8} />;
  return (
    <div className={styles.page} data-wide-page>
      <header className={styles.head}>
        <p className={styles.kind}>
          {share.data.mode === "live"
            ? t("live", times(share.data))
            : t("frozen", times(share.data))}
        </p>
        <h1 dir="auto">{title}</h1>
      </header>
      <AnswerHead model={share.data.chart} provisional={!isTerminal(share.data.chart.state)} />
      <ResultView model={share.data.chart} share={behind} />
    </div>
  );
}

const times = (share: SharedResult) => ({
  at: formatZonedTime(share.as_of),
  until: formatZonedTime(share.expires_at),
});

function isChanging(share: SharedResult | undefined): boolean {
  return share?.mode === "live" && !isTerminal(share.chart.state);
}

function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && [404, 410, 422].includes(error.status);
}

function Refused({ error, retry }: { error: Error; retry: () => void }) {
  if (!isRefusal(error)) return <Failure error={error} retry={retry} />;
  if (error.status === 410) return <Nothing>{t("gone")}</Nothing>;
  return <Nothing>{t("unknown")}</Nothing>;
}

function Nothing({ children }: { children: string }) {
  return (
    <>
      <h1>{t("shared")}</h1>
      <Note tone="warn">{children}</Note>
    </>
  );
}
