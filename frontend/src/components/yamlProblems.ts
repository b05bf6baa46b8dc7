/** The message of each problem of a YAML text. */
import { messages } from "@/messages";
import type { YamlProblem } from "./yaml";

const t = messages("editor");

/** By the parser's codes and those of `parseYaml`. */
const KEYS = {
  TOO_LARGE: "tooLarge",
  NO_MAPPING: "noMapping",
  UNRESOLVED_ALIAS: "unresolvedAlias",
  EXCESSIVE_ALIASES: "excessiveAliases",
  ALIAS_PROPS: "aliasProps",
  BAD_ALIAS: "badAlias",
  BAD_INDENT: "badIndent",
  BAD_SCALAR_START: "badScalarStart",
  BLOCK_AS_IMPLICIT_KEY: "blockAsImplicitKey",
  BLOCK_IN_FLOW: "blockInFlow",
  DUPLICATE_KEY: "duplicateKey",
  KEY_OVER_1024_CHARS: "keyOver1024Chars",
  MISSING_CHAR: "missingChar",
  MULTILINE_IMPLICIT_KEY: "multilineImplicitKey",
  MULTIPLE_DOCS: "multipleDocs",
  TAB_AS_INDENT: "tabAsIndent",
  TAG_RESOLVE_FAILED: "unknownTag",
  UNEXPECTED_TOKEN: "unexpectedToken",
} as const;

/** Returns what is wrong with a text, without its place. */
export function problemText({ code, detail }: YamlProblem): string {
  return code in KEYS ? t(KEYS[code as keyof typeof KEYS], { detail }) : t("notYaml", { code });
}
