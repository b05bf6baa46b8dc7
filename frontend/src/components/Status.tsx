import type { UseQueryResult } from "@tanstack/react-query";
import { describeError } from "@/api/errors";
import { Button } from "./Button";
import styles from "./Status.module.css";

/** The shape of what is being loaded, in grey. */
export function Loading({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.bar} />
      ))}
    </div>
  );
}

/** What went wrong, in the server's words, and the way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail } = describeError(error);
  return (
    <div className={styles.failure} role="alert">
      <h2>{title}</h2>
      {detail && <p>{detail}</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

interface QueryStatusProps {
  query: Pick<UseQueryResult, "data" | "error" | "refetch">;
  label: string;
  rows?: number;
}

/** In place of a query's data: that it is loading, or why it failed. Data that is there stays, whatever a later request brings. */
export function QueryStatus({ query: { data, error, refetch }, label, rows }: QueryStatusProps) {
  if (data !== undefined) return null;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading label={label} {...(rows && { rows })} />;
}

export function Empty({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** A remark in the flow of the page. */
export function Note({ tone, children }: { tone: "info" | "warn" | "bad"; children: React.ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {children}
    </div>
  );
}
