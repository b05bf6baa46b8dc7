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

/** The page of a shared result. The token is in the fragment, and is sent in the body of a request. */
export function SharedPage() {
  const token = useSyncExternalStore(subscribe, () => window.location.hash.slice(1));
  const share = useQuery({ ...queries.share(token), enabled: token !== "" });
  useTitle(share.data ? `${share.data.chart.title} (shared)` : "Shared result");
  if (token === "") return <Note tone="warn">This address has no part after “#”. Open the complete link.</Note>;
  if (share.isError && !share.data) return <Refused error={share.error} retry={() => void share.refetch()} />;
  if (!share.data) return <Loading label="Loading the shared result" rows={8} />;
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
  if (error instanceof ApiError && error.status === 410) return <Note tone="warn">This link has expired or was revoked. The person who shared the result can create a new one.</Note>;
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <Note tone="warn">There is no shared result at this address. The link may be incomplete.</Note>;
  return <Failure error={error} retry={retry} />;
}
