import { humanize } from "@/components/format";
import { keyOf } from "@/components/serverText";
import { i18n, messages } from "@/messages";

const t = messages("trials");

/** Returns the name of a part of a record in the page's language; an identifier that the page does not know as words. */
export function recordName(kind: "purpose" | "outcome" | "counter", name: string): string {
  const key = keyOf(kind, name);
  return i18n.exists(key, { ns: "trials" }) ? t(key as Parameters<typeof t>[0]) : humanize(name);
}
