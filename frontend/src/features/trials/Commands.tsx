import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "@/api/queries";
import type { Command } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { CopyButton } from "@/components/CopyButton";
import { humanize } from "@/components/format";
import { QueryStatus } from "@/components/Status";
import { shellLine } from "./shell";
import styles from "./TrialPage.module.css";

/** The commands of a trial with their raw output. */
export function Commands({ commands, trialId }: { commands: readonly Command[]; trialId: string }) {
  const [raw, setRaw] = useState(false);
  return (
    <Card
      title="Commands and raw output"
      note="As executed; all figures above can be recomputed from this output"
      actions={
        <Button kind="ghost" onClick={() => setRaw(!raw)} aria-expanded={raw}>
          {raw ? "By command" : "As plain text"}
        </Button>
      }
    >
      {raw ? <Raw trialId={trialId} /> : commands.map((command, index) => <CommandOutput key={`${index} ${command.purpose}`} command={command} />)}
    </Card>
  );
}

function CommandOutput({ command }: { command: Command }) {
  const line = shellLine(command.argv);
  return (
    <div className={styles.command}>
      <div className={styles.commandHead}>
        <span>
          <b>{humanize(command.purpose)}</b> in {command.container}, exit code {command.exit_code}
        </span>
        <CopyButton text={line} label="Copy command" />
      </div>
      <pre className={`${styles.pre} ${styles.argv}`}>{line}</pre>
      <Output name="stdout" text={command.stdout} open={command.purpose === "measure"} />
      <Output name="stderr" text={command.stderr} open={false} />
    </div>
  );
}

/** An output stream of a command, folded. */
export function Output({ name, text, open }: { name: string; text: string; open: boolean }) {
  if (!text) return null;
  const lines = text.split("\n").length;
  return (
    <details className={styles.output} open={open}>
      <summary>
        {name}, {lines} lines
      </summary>
      <pre className={styles.pre} tabIndex={0} aria-label={name}>{text}</pre>
    </details>
  );
}

function Raw({ trialId }: { trialId: string }) {
  const raw = useQuery(queries.trialRaw(trialId));
  if (raw.data === undefined) return <QueryStatus query={raw} label="Loading the raw output" />;
  return (
    <>
      <CopyButton text={raw.data} label="Copy all" />
      <pre className={styles.pre} tabIndex={0} aria-label="Raw output">{raw.data}</pre>
    </>
  );
}
