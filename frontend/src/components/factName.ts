import { i18n } from "@/messages";
import { language } from "@/messages/language";
import { humanize } from "./format";
import { catalogName, keyOf } from "./serverText";

/** Names with a part that varies, and the message of each. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/^engine (?<engine>\S+) (?<name>.+)$/, "factOfEngine"],
  [/^server (?<name>.+)$/, "factOfServer"],
  [/^at start: (?<name>.+)$/, "factOfStart"],
];

const said = (key: string, values: Readonly<Record<string, string>>) => (i18n.t as (key: string, options: object) => string)(key, { ns: "labels", ...values });

/** Returns the name of a factor, or of a fact about a host, such as "cpu governor"; an identifier that the page does not know as words. */
export function factName(name: string): string {
  const key = keyOf("fact", name);
  const setting = /^sysctl (.+)$/.exec(name)?.[1];
  if (setting !== undefined) return language() === "en" ? name : said("factOfSysctl", { name: setting });
  if (language() === "en") return humanize(name);
  if (i18n.exists(key, { ns: "labels" })) return said(key, {});
  for (const [pattern, message] of VARYING) {
    const parts = pattern.exec(name)?.groups;
    if (parts) return said(message, { ...parts, name: factName(parts["name"] ?? "") });
  }
  return catalogName("factor", name, humanize(name));
}
