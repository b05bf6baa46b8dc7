import type { Factors } from "@/api/types";

/** One mark of the text: an error of YAML or of the server. */
export interface Mark {
  from: number;
  to: number;
  text: string;
}

/** The properties of the YAML editor, which is loaded on demand. */
export interface CodeProps {
  className: string;
  label: string;
  text: string;
  onText: (text: string) => void;
  marks: readonly Mark[];
  /** Where the cursor goes. */
  target: { offset: number } | null;
  vocabulary: Factors | undefined;
}
