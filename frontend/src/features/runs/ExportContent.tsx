import { useState } from "react";
import { exportUrl } from "@/api/exports";
import type { Run } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { CopyAsCode } from "@/components/CopyAsCode";
import { LinkList } from "@/components/LinkList";
import { Toggle } from "@/components/Toggle";
import { messages } from "@/messages";
import styles from "./ExportContent.module.css";
import { exportTexts } from "./exportTexts";
import { PictureExport } from "./PictureExport";
import { runRequest, type RunPart } from "./runRequest";

const t = messages("runs");

const SHOWN: readonly string[] = ["html", "report"];

/** What leaves a result: pictures, files, and the requests that a script sends for it. */
export function ExportContent({ run }: { run: Pick<Run, "id" | "state"> }) {
  const files = exportTexts().map((each) => ({
    ...each,
    href: exportUrl(run.id, each.format),
    shown: SHOWN.includes(each.format),
  }));
  return (
    <>
      <PictureExport runId={run.id} />
      <section className={styles.part}>
        <h3>{t("files")}</h3>
        <LinkList label={t("files")} links={files} />
      </section>
      <Script run={run} />
    </>
  );
}

/** The same by a script: the result, of a run that goes on its progress as well. */
function Script({ run }: { run: Pick<Run, "id" | "state"> }) {
  const [part, setPart] = useState<RunPart>("result");
  const parts = [
    { value: "result", label: t("scriptResult") },
    { value: "run", label: t("scriptProgress") },
  ] as const;
  return (
    <section className={styles.part}>
      <h3>{t("byScript")}</h3>
      {!isTerminal(run.state) && (
        <Toggle label={t("scriptPart")} options={parts} value={part} onChange={setPart} />
      )}
      <CopyAsCode {...runRequest(run.id, part)} />
    </section>
  );
}
