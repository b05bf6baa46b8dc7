import { acceptCompletion, autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { JsonSchema } from "@/api/experimentSchema";
import { queries } from "@/api/queries";
import type { Factors } from "@/api/types";
import { messages } from "@/messages";
import type { CodeProps } from "./codeProps";
import { codeTheme } from "./codeTheme";
import { completionsAt } from "./yamlCompletion";

const t = messages("editor");

/** The YAML editor: CodeMirror in a shadow tree. Load it on demand. */
export function CodeEditor({ className, label, text, onText, marks, target, vocabulary }: CodeProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const schema = useQuery(queries.experimentSchema()).data;
  // Read by the editor's callbacks, which are made once.
  const current = useRef({ text, onText, schema, vocabulary, label });
  useEffect(() => {
    current.current = { text, onText, schema, vocabulary, label };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const made = new EditorView({ state: stateOf(current.current, () => current.current), root, parent: root as never });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => replaceText(view.current, text), [text]);
  useEffect(() => {
    if (!view.current) return;
    const length = view.current.state.doc.length;
    const found = marks.map(({ from, to, text: message }) => ({ from: Math.min(from, length), to: Math.min(to, length), severity: "error" as const, message }));
    view.current.dispatch(setDiagnostics(view.current.state, found.sort((a, b) => a.from - b.from)));
  }, [marks]);
  useEffect(() => {
    if (!view.current || !target) return;
    const anchor = Math.min(target.offset, view.current.state.doc.length);
    view.current.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.current.focus();
  }, [target]);
  return <div ref={host} className={className} data-invalid={marks.length > 0 || undefined} />;
}

interface Current {
  text: string;
  onText: (text: string) => void;
  schema: JsonSchema | undefined;
  vocabulary: Factors | undefined;
  label: string;
}

function stateOf({ text, label }: Current, current: () => Current): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      ...[lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), bracketMatching(), history(), yaml(), lintGutter()],
      indentUnit.of("  "),
      autocompletion({ override: [(context) => complete(context, current())], icons: false }),
      // The system's Tab leaves the editor; it takes a completion only while one is offered.
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorState.phrases.of({ Completions: t("phraseCompletions"), Diagnostics: t("phraseDiagnostics"), "No diagnostics": t("phraseNoDiagnostics"), close: t("phraseClose") }),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-description": t("keys"), spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        const ownChange = update.transactions.some((each) => each.docChanged && each.annotation(Transaction.remote) !== true);
        if (ownChange) current().onText(update.state.doc.toString());
      }),
      // A letter that is typed here is no shortcut of the page.
      EditorView.domEventHandlers({ keydown: (event) => void (!event.ctrlKey && !event.metaKey && event.stopPropagation()) }),
      ...codeTheme,
    ],
  });
}

function complete({ state, pos, explicit }: CompletionContext, { schema, vocabulary }: Current): CompletionResult | null {
  const found = schema && completionsAt(state.doc.toString(), pos, schema, vocabulary);
  if (!found || (!explicit && found.from === pos)) return null;
  return {
    from: found.from,
    options: found.options.map(({ label, detail, info, apply, kind }) => ({ label, detail, apply, type: kind === "key" ? "property" : "constant", ...(info && { info }) })),
    validFor: /^[\w./-]*$/,
  };
}

/** Replaces the part of the text that differs: the cursor and the history of changes stay. */
function replaceText(view: EditorView | null, text: string): void {
  const before = view?.state.doc.toString();
  if (!view || before === undefined || before === text) return;
  let start = 0;
  while (start < before.length && start < text.length && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < text.length - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  view.dispatch({ changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) }, annotations: Transaction.remote.of(true) });
}
