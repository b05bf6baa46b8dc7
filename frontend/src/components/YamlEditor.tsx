import { useEffect, useId, useRef, useState, type ComponentType } from "react";
import type { FieldError } from "@/api/errors";
import type { Factors } from "@/api/types";
import { messages, withMessages } from "@/messages";
import type { CodeProps, Mark } from "./codeProps";
import { CopyButton } from "./CopyButton";
import { parseYaml, placeOf, rangeOf, type YamlProblem } from "./yaml";
import { problemText } from "./yamlProblems";
import styles from "./YamlEditor.module.css";

const t = messages("editor");

interface Props {
  text: string;
  onText: (text: string) => void;
  problem: YamlProblem | null;
  errors: readonly FieldError[];
  /** The names that are completed; none while they are being loaded. */
  vocabulary?: Factors | undefined;
}

/** An editor of the definition as YAML; a plain text field until it is loaded, and where it cannot be. */
export function YamlEditor({ text, onText, problem, errors, vocabulary }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [target, setTarget] = useState<{ offset: number } | null>(null);
  const [Code, held] = useCode(field);
  const marks = marksOf(text, problem, errors);
  const goTo = (offset: number) => {
    if (Code && !held) return setTarget({ offset });
    field.current?.focus();
    field.current?.setSelectionRange(offset, offset);
  };
  return (
    <div className={styles.editor}>
      {Code && !held ? (
        <Code className={styles.code ?? ""} label={t("label")} text={text} onText={onText} marks={marks} target={target} vocabulary={vocabulary} />
      ) : (
        <textarea
          ref={field}
          aria-label={t("label")}
          aria-describedby={id}
          aria-invalid={problem !== null}
          value={text}
          spellCheck={false}
          rows={Math.max(18, Math.min(40, text.split("\n").length + 1))}
          onChange={(event) => onText(event.target.value)}
        />
      )}
      <p id={id} className={styles.keys}>
        {Code && !held ? t("keys") : t("keysPlain")}
      </p>
      <div className={styles.foot}>
        <div className={styles.errors} aria-live="polite">
          {problem ? (
            <p>
              ✕ <button type="button" onClick={() => goTo(problem.from)}>{t("place", { line: problem.line, column: problem.column })}</button>: {problemText(problem)}
            </p>
          ) : (
            errors.map(({ pointer, code, detail }, index) => (
              <p key={`${pointer} ${code} ${detail}`}>
                ✕ <button type="button" onClick={() => goTo(marks[index]?.from ?? 0)}>{t("line", { line: placeOf(text, marks[index]?.from ?? 0).line })}</button> <code>{pointer || "/"}</code> <bdi>{detail}</bdi>
              </p>
            ))
          )}
        </div>
        <CopyButton text={text} label={t("copy")} />
      </div>
    </div>
  );
}

/** Returns the places of the problem, or else of the server's errors, in the order of these. */
function marksOf(text: string, problem: YamlProblem | null, errors: readonly FieldError[]): Mark[] {
  if (problem) return [{ from: problem.from, to: problem.to, text: problemText(problem) }];
  if (errors.length === 0) return [];
  const parsed = parseYaml(text);
  return "tree" in parsed ? errors.map(({ pointer, detail }) => ({ ...rangeOf(parsed.tree, pointer), text: detail })) : [];
}

/**
 * Loads CodeMirror. Its styles are adopted style sheets in a shadow tree, because the policy allows no style elements;
 * a browser without them keeps the text field. A field that has the focus is kept until it loses it.
 */
function useCode(field: React.RefObject<HTMLTextAreaElement | null>): [ComponentType<CodeProps> | null, boolean] {
  const [Code, setCode] = useState<ComponentType<CodeProps> | null>(null);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!("adoptedStyleSheets" in Document.prototype) || typeof ResizeObserver === "undefined") return;
    let gone = false;
    const release = () => setHeld(false);
    void withMessages(import("./CodeEditor")).then(
      ({ CodeEditor }) => {
        if (gone) return;
        const focused = field.current !== null && field.current === document.activeElement;
        if (focused) field.current?.addEventListener("blur", release, { once: true });
        setHeld(focused);
        setCode(() => CodeEditor);
      },
      // The server is away: the text field does the same.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [field]);
  return [Code, held];
}
