import { i18n } from "@/messages";
import { language } from "@/messages/language";
import { humanize } from "./format";
import { catalogName, keyOf } from "./serverText";

/** Returns the name of a factor, or of a fact about a host, such as "cpu governor"; an identifier that the page does not know as words. */
export function factName(name: string): string {
  const key = keyOf("fact", name);
  if (language() !== "en" && i18n.exists(key, { ns: "labels" })) return (i18n.t as (key: string, options: object) => string)(key, { ns: "labels" });
  return catalogName("factor", name, humanize(name));
}
