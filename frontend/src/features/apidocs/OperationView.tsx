import { useEffect, useMemo, useRef } from "react";
import { Card } from "@/components/Card";
import { onDemand } from "@/components/onDemand";
import { Loading } from "@/components/Status";
import { messages, withMessages } from "@/messages";
import { callerOf, canTry, curlOf, partOf, type ApiDocument, type Caller, type Entry } from "./apiDocument";
import styles from "./ApiDocsPage.module.css";
import { Command } from "./Command";

const t = messages("apidocs");
const Viewer = onDemand(async () => (await withMessages(import("./Viewer"))).Viewer);

/** One operation: who may call it, a command line that does, and its parameters and responses in the viewer. */
export function OperationView({ document, entry }: { document: ApiDocument; entry: Entry }) {
  const { method, path, operation } = entry;
  const part = useMemo(() => partOf(document, entry), [document, entry]);
  const caller = callerOf(entry);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // In a narrow window the list, where the focus is, is hidden now.
    const focused = window.document.activeElement;
    if (focused?.checkVisibility?.() === false) title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Card>
      <h2 ref={title} lang="en" tabIndex={-1} className={styles.title}>
        {operation.summary}
      </h2>
      <p className={styles.address}>
        <strong>{method.toUpperCase()}</strong> <code>{path}</code>
      </p>
      <p className={styles.caller}>{callerText(caller, operation["x-token-scope"])}</p>
      {(caller === "token" || caller === "public") && (
        <>
          <h3>{t("curl")}</h3>
          <Command text={curlOf(entry, window.location.origin)} />
        </>
      )}
      <h3>{t("reference")}</h3>
      <Viewer
        document={part}
        canTry={canTry(entry)}
        fallback={<div className={styles.reserved}><Loading label={t("loadingViewer")} rows={12} /></div>}
      />
    </Card>
  );
}

function callerText(caller: Caller, scope: string | null | undefined): string {
  if (caller === "public") return t("callerPublic");
  if (caller === "worker") return t("callerWorker");
  if (caller === "session") return t("callerSession");
  return scope ? t("callerScope", { scope }) : t("callerToken");
}
