/** The glyph, word and tone of each character of a matrix. */
import type { TrialEvent } from "@/api/generated";
import type { StateLabel } from "@/components/stateLabels";
import { messages } from "@/messages";

const t = messages("runs");

const GLYPHS = {
  q: ["◌", "quiet"],
  r: ["▶", "info"],
  d: ["✓", "good"],
  t: ["↻", "good"],
  c: ["≋", "warn"],
  i: ["⚠", "bad"],
  e: ["∅", "warn"],
  f: ["✕", "bad"],
  x: ["◼", "quiet"],
  s: ["⤳", "quiet"],
  ".": ["·", "quiet"],
  "-": ["⊘", "quiet"],
} as const satisfies Record<string, readonly [string, StateLabel["tone"]]>;
type Code = keyof typeof GLYPHS;

const WORDS = {
  q: "matrixQueued",
  r: "matrixRunning",
  d: "matrixDone",
  t: "matrixRetaken",
  c: "matrixContaminated",
  i: "matrixInvalid",
  e: "matrixExcluded",
  f: "matrixFailed",
  x: "matrixCancelled",
  s: "matrixSkipped",
  ".": "matrixNoTrial",
  "-": "matrixInfeasible",
} as const satisfies Record<Code, string>;

const QUALITIES = { retaken: "t", contaminated: "c", invalid: "i" } as const;

/** The character of an event's trial, as the server writes it. */
export function codeOf({ state, quality }: Pick<TrialEvent, "state" | "quality">): string {
  return state === "done" && quality ? QUALITIES[quality] : state === "cancelled" ? "x" : state.charAt(0);
}

/** The characters of trials, in the order of the legend. */
export const CODES = ["d", "t", "c", "i", "e", "f", "r", "q", "s", "x"] as const;

/** The label of an entry; of a row without trials the character is "-". */
export function matrixState(code: string): StateLabel {
  const known = (code in GLYPHS ? code : ".") as Code;
  const [glyph, tone] = GLYPHS[known];
  return { glyph, tone, word: t(WORDS[known]) };
}
