import { ApiError } from "@/api/client";
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

function told(error: unknown): { title: string; detail: string } {
  if (error instanceof ApiError) {
    if (error.status === 0 && error.code !== "timeout") return { title: "No answer from Plimsoll", detail: "It is asked again until it answers." };
    if (error.status === 404) return { title: "Not found", detail: error.detail };
    return { title: error.title, detail: error.detail === error.title ? "" : error.detail };
  }
  return { title: "Something on this page broke", detail: error instanceof Error ? error.message : String(error) };
}

/** What went wrong, in the server's words, and the way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail } = told(error);
  return (
    <div className={styles.failure} role="alert">
      <h2>{title}</h2>
      {detail && <p>{detail}</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** A remark that stands in the flow of the page. */
export function Note({ tone, children }: { tone: "info" | "warn" | "bad"; children: React.ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {children}
    </div>
  );
}
