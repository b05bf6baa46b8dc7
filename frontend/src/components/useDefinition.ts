import { useCallback, useMemo, useState, type Dispatch, type SetStateAction } from "react";
import type { ExperimentDraft } from "@/api/draft";
import { parseYaml, type YamlProblem } from "./yaml";
import { patchYaml } from "./yamlPatch";

/** One definition as YAML text and as document: a change of either changes the other. */
export interface Definition {
  text: string;
  /** The newest text that could be parsed, as a document. */
  document: ExperimentDraft;
  /** Why the text cannot be parsed; null where `document` is what it says. */
  problem: YamlProblem | null;
  onText: (text: string) => void;
  /** Writes a document into the text; comments and notation of what stays are kept. */
  onDocument: (document: ExperimentDraft) => void;
  /** Returns to the newest text that could be parsed. */
  discard: () => void;
}

interface Good {
  text: string;
  document: ExperimentDraft;
}

/** Returns the definition of a text; `initial` is the document until the text can be parsed for the first time. */
export function useDefinition([text, setText]: [string, Dispatch<SetStateAction<string>>], initial: Good): Definition {
  const parsed = useMemo(() => parseYaml(text), [text]);
  const [good, setGood] = useState<Good>(() => ("document" in parsed ? { text, document: parsed.document } : initial));
  const current = "document" in parsed ? parsed.document : good.document;
  if ("document" in parsed && parsed.document !== good.document) setGood({ text, document: parsed.document });
  // A text that cannot be parsed is never replaced by a change elsewhere.
  const onDocument = useCallback((next: ExperimentDraft) => setText((before) => ("problem" in parseYaml(before) ? before : patchYaml(before, next))), [setText]);
  return { text, document: current, problem: "problem" in parsed ? parsed.problem : null, onText: setText, onDocument, discard: () => setText(good.text) };
}
