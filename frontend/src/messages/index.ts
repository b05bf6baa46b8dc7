/** The page's texts by id: one catalogue per namespace and language, loaded on demand. */
import { createInstance } from "i18next";
import type { Catalogs, Namespace } from "./catalogs";
import { language, type Language } from "./language";
import type { MessageKey } from "./translation";

type Values = Record<string, string | number>;
export type Translate<N extends Namespace> = (key: MessageKey<Catalogs[N]>, values?: Values) => string;

const FILES = import.meta.glob<{ default: Record<string, string> }>("./{en,zh}/*.ts");
const required = new Set<Namespace>();
/** What the server says in English, and any answer can hold. */
const OF_SERVER = ["catalog", "labels", "warnings", "betweenRuns", "reasons", "refusals"] as const;
/** Labels are found by their English templates: see `labels`. */
const TEMPLATES = ["catalog", "labels"] as const;

/** Letters that are written from right to left, and formatting characters that change the direction. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202a-\u202e\u2066-\u2069]/u;

export const i18n = createInstance();
void i18n.init({ lng: language(), fallbackLng: false, initAsync: false, resources: {}, keySeparator: false, nsSeparator: false, interpolation: { escapeValue: true, escape: isolated } });

/** Returns the function that gives a namespace's messages in the current language, and has the namespace loaded by `ready`. */
export function messages<N extends Namespace>(namespace: N): Translate<N> {
  required.add(namespace);
  const translate = i18n.t as (key: string, options: object) => string;
  return (key, values) => (values === undefined && plain(namespace, key)) || translate(key, { ns: namespace, ...values });
}

/** A message without values and plural forms as its catalogue has it: large results have thousands of such texts. */
function plain(namespace: Namespace, key: string): string | undefined {
  const text = (i18n.getResource(i18n.language, namespace, key) as string | undefined) ?? "";
  return text.includes("{{") ? undefined : text;
}

/** Loads the current language's messages of all modules that were evaluated so far. */
export async function ready(): Promise<void> {
  await Promise.all([...required].map((namespace) => load(language(), namespace)));
  if (language() !== "en") await Promise.all([...OF_SERVER.map((each) => load(language(), each)), ...TEMPLATES.map((each) => load("en", each))]);
  if (i18n.language !== language()) await i18n.changeLanguage(language());
}

/** Returns a module once its messages are loaded, too. */
export async function withMessages<Module>(module: Promise<Module>): Promise<Module> {
  const loaded = await module;
  await ready();
  return loaded;
}

async function load(to: Language, namespace: Namespace): Promise<void> {
  if (i18n.hasResourceBundle(to, namespace)) return;
  const file = FILES[`./${to}/${namespace}.ts`];
  if (file) addMessages(to, namespace, (await file()).default);
}

/** Adds a loaded catalogue. */
export function addMessages(to: "en" | "zh", namespace: string, catalog: Record<string, string>): void {
  i18n.addResourceBundle(to, namespace, catalog);
}

/** Returns a value for a message: a name that is written from right to left does not reorder the sentence around it (Unicode's FSI and PDI). */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}
