import { useState } from "react";
import type { FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import { CopyButton } from "./CopyButton";
import { FieldErrors } from "./FieldErrors";
import { fromYaml, toYaml } from "./yaml";
import styles from "./YamlEditor.module.css";

interface Props {
  document: ExperimentDraft;
  onDocument: (document: ExperimentDraft) => void;
  problem: string | null;
  onProblem: (problem: string | null) => void;
  errors: readonly FieldError[];
}

/** An editor of the definition as YAML. Text that can be parsed is applied at once. */
export function YamlEditor({ document, onDocument, problem, onProblem, errors }: Props) {
  const [text, setText] = useState(() => toYaml(document));
  const edit = (next: string) => {
    setText(next);
    const parsed = fromYaml(next);
    onProblem("problem" in parsed ? parsed.problem : null);
    if ("document" in parsed) onDocument(parsed.document);
  };
  return (
    <div className={styles.editor}>
      <textarea
        aria-label="Definition as YAML"
        aria-invalid={problem !== null}
        value={text}
        spellCheck={false}
        rows={Math.max(18, text.split("\n").length + 1)}
        onChange={(event) => edit(event.target.value)}
      />
      <div className={styles.foot}>
        <div className={styles.errors} aria-live="polite">
          {problem && <p>✕ {problem}</p>}
          {!problem && <FieldErrors errors={errors} pointers />}
        </div>
        <CopyButton text={text} label="Copy YAML" />
      </div>
    </div>
  );
}
