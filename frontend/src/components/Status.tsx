import type { UseQueryResult } from "@tanstack/react-query";
import { describeError } from "@/api/errors";
import { messages } from "@/messages";
import { Button } from "./Button";
import styles from "./Status.module.css";

const t = messages("common");

/** A grey placeholder while data is loaded. */
export function Loading({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.bar} />
      ))}
    </div>
  );
}

/** An error with the server's message and a button that retries. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail } = describeError(error);
  return (
    <div className={styles.failure} role="alert">
      <h2>{title}</h2>
      {detail && <p>{detail}</p>}
      {retry && <Button onClick={retry}>{t("tryAgain")}</Button>}
    </div>
  );
}

interface QueryStatusProps {
  query: Pick<UseQueryResult, "data" | "error" | "refetch">;
  label: string;
  rows?: number;
}

/** A placeholder or an error while a query has no data; nothing once it has, even if a later request fails. */
export function QueryStatus({ query: { data, error, refetch }, label, rows }: QueryStatusProps) {
  if (data !== undefined) return null;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading label={label} {...(rows && { rows })} />;
}

/** A statement that there is nothing, and what to do about it; `level` is that of its heading. */
export function Empty({ title, level = 3, children }: { title: string; level?: 2 | 3; children?: React.ReactNode }) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}

/** A highlighted remark. */
export function Note({ tone, children }: { tone: "info" | "warn" | "bad"; children: React.ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {children}
    </div>
  );
}
