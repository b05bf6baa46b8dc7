import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "@/api/queries";
import type { Command } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { CopyButton } from "@/components/CopyButton";
import { QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { recordName } from "./recordName";
import { shellLine } from "./shell";
import styles from "./TrialPage.module.css";

const t = messages("trials");

/** The commands of a trial with their raw output. */
export function Commands({ commands, trialId }: { commands: readonly Command[]; trialId: string }) {
  const [raw, setRaw] = useState(false);
  return (
    <Card
      title={t("commandsTitle")}
      note={t("commandsNote")}
      actions={
        <Button kind="ghost" onClick={() => setRaw(!raw)} aria-expanded={raw}>
          {raw ? t("byCommand") : t("asText")}
        </Button>
      }
    >
      {raw ? (
        <Raw trialId={trialId} />
      ) : (
        commands.map((command, index) => (
          <CommandOutput key={`${index} ${command.purpose}`} command={command} />
        ))
      )}
    </Card>
  );
}

function CommandOutput({ command }: { command: Command }) {
  const line = shellLine(command.argv);
  return (
    <div className={styles.command}>
      <div className={styles.commandHead}>
        <span>
          <RichText
            namespace="trials"
            id="commandHead"
            values={{
              purpose: recordName("purpose", command.purpose),
              container: command.container,
              code: command.exit_code,
            }}
            parts={{ b: <b /> }}
          />
        </span>
        <CopyButton text={line} label={t("copyCommand")} />
      </div>
      <pre className={`${styles.pre} ${styles.argv}`} tabIndex={0} aria-label={command.argv[0]}>
        {line}
      </pre>
      <Output name="stdout" text={command.stdout} open={command.purpose === "measure"} />
      <Output name="stderr" text={command.stderr} />
    </div>
  );
}

/** An output stream of a command, folded. */
export function Output({
  name,
  text,
  open = false,
}: {
  name: string;
  text: string;
  open?: boolean;
}) {
  if (!text) return null;
  const lines = text.split("\n").length;
  return (
    <details className={styles.output} open={open}>
      <summary>{t("outputLines", { name, count: lines })}</summary>
      <pre className={styles.pre} tabIndex={0} aria-label={name}>
        {text}
      </pre>
    </details>
  );
}

function Raw({ trialId }: { trialId: string }) {
  const raw = useQuery(queries.trialRaw(trialId));
  if (raw.data === undefined) return <QueryStatus query={raw} label={t("rawLoading")} />;
  return (
    <>
      <CopyButton text={raw.data} label={t("copyAll")} />
      <pre className={styles.pre} tabIndex={0} aria-label={t("rawOutput")}>
        {raw.data}
      </pre>
    </>
  );
}
