import { describe, expect, it } from "vitest";

type Catalog = Record<string, string>;
const files = import.meta.glob<{ default: Catalog }>("./{en,zh}/*.ts", { eager: true });
const of = (to: string, namespace: string) => files[`./${to}/${namespace}.ts`]?.default ?? {};
const namespaces = Object.keys(files).flatMap((path) => /\.\/en\/(\w+)\.ts/.exec(path)?.[1] ?? []);
const names = (text: string) => [...new Set(text.match(/\{\{\s*\w+|<\/?\w+/g) ?? [])].map((name) => name.replace(/\s/g, "")).sort();

describe.each(namespaces)("messages of %s", (namespace) => {
  const [en, zh] = [of("en", namespace), of("zh", namespace)];

  it("has the same keys in both languages, with one plural form in Chinese", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).filter((key) => !key.endsWith("_one")).sort());
  });

  it("has both plural forms in English", () => {
    const stems = (form: string) => Object.keys(en).filter((key) => key.endsWith(form)).map((key) => key.slice(0, -form.length)).sort();
    expect(stems("_one")).toEqual(stems("_other"));
  });

  it("takes the same values and tags in both languages", () => {
    for (const [key, text] of Object.entries(zh)) expect(names(text), `${namespace}.${key}`).toEqual(names(en[key] ?? ""));
  });

  it("has no empty text, and Chinese that is not English", () => {
    for (const [key, text] of [...Object.entries(en), ...Object.entries(zh)]) expect(text.trim(), `${namespace}.${key}`).not.toBe("");
    for (const [key, text] of Object.entries(zh))
      if (/[a-z]{3,} [a-z]{2,} [a-z]{2,}/.test(text.replace(/<[^>]*>|`[^`]*`|\{\{[^}]*\}\}/g, ""))) expect(text, `${namespace}.${key}`).toMatch(/\p{Script=Han}/u);
  });
});

const sources = import.meta.glob<string>("../**/*.tsx", { eager: true, query: "?raw", import: "default" });

it("loads the messages of every module that a page loads on demand", () => {
  const without = Object.entries(sources).filter(([path, text]) => !path.includes(".test.") && /lazy\([^;]*?\bimport\(/.test(text) && /import\("(?!@base-ui)/.test(text) && !text.includes("withMessages("));
  expect(without.map(([path]) => path)).toEqual([]);
});
