import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";
import { formatTime } from "@/components/format";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { ResultView } from "@/features/result/ResultView";
import styles from "./SharedPage.module.css";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** A finished result behind a share link. The token stays in the fragment and is posted once. */
export function SharedPage() {
  const token = useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
  const share = useQuery({ ...queries.share(token), enabled: token !== "" });
  useTitle(share.data ? `${share.data.chart.title} (shared)` : "Shared result");
  if (token === "") return <Note tone="warn">This address lacks the part after “#”. Ask for the whole link.</Note>;
  if (share.isError && !share.data) return <Refused error={share.error} retry={() => void share.refetch()} />;
  if (!share.data) return <Loading label="Opening the shared result" rows={8} />;
  const { chart, expires_at } = share.data;
  return (
    <>
      <header className={styles.head}>
        <p className={styles.kind}>Shared result, read-only · this link works until {formatTime(expires_at)}</p>
        <h1>{chart.title}</h1>
      </header>
      <ResultView model={chart} />
    </>
  );
}

function Refused({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiError && error.status === 410) return <Note tone="warn">This link has expired or was revoked. Whoever shared the result can make a new one.</Note>;
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <Note tone="warn">No result is shared under this link. It may have been cut when it was copied.</Note>;
  return <Failure error={error} retry={retry} />;
}
