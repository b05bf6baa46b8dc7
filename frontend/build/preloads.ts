/** The script in the head of the page: it sets the theme, and requests the code of the address beside the first script. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";

type Chunk = Rolldown.OutputChunk;
type CodeOf = (id: string) => string;
/** Places in the list of files: of all languages, and of one. */
type Files = Partial<Record<"all" | Language, number[]>>;
type Language = (typeof LANGUAGES)[number];

const LANGUAGES = ["en", "zh"] as const;
const ROOT = new URL("..", import.meta.url);
const ROUTES = readFileSync(new URL("src/app/routes.tsx", ROOT), "utf8");
const LAZY = /path: "([^"]+)", lazy: page\(\(\) => import\("@\/([^"]+)"\)/g;
const MESSAGES_OF = /\bmessages\("(\w+)"\)/g;
/** Namespaces that another language than English needs on every page, by the language of their catalogue: see messages/index.ts. */
const OF_SERVER = { zh: ["catalog", "labels", "warnings", "betweenRuns", "reasons", "refusals"], en: ["catalog", "labels"] };

/** The expression for a route's addresses. */
const patternOf = (path: string) => `^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`;

/** What the addresses need, as `build/start.js` takes it. */
export function preloadsOf(chunks: readonly Chunk[], codeOf: CodeOf) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const having = (end: string) => chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)));
  const closure = (chunk: Chunk | undefined, found = new Set<Chunk>()): Set<Chunk> => {
    if (!chunk || found.has(chunk)) return found;
    found.add(chunk);
    for (const file of chunk.imports) closure(byFile.get(file), found);
    return found;
  };
  const first = closure(chunks.find(({ isEntry }) => isEntry));
  const files: string[] = [];
  const placeOf = ({ fileName }: Chunk) => {
    if (!files.includes(`/${fileName}`)) files.push(`/${fileName}`);
    return files.indexOf(`/${fileName}`);
  };
  const places = (found: Iterable<Chunk | undefined>) => [...new Set(found)].filter((each) => each !== undefined && !first.has(each)).map((each) => placeOf(each as Chunk));
  const namespacesOf = (found: Iterable<Chunk>) => [...found].flatMap(({ moduleIds }) => moduleIds.flatMap((id) => [...codeOf(id).matchAll(MESSAGES_OF)].map(([, name]) => name)));
  const catalogues = (language: Language, names: Iterable<string | undefined>) => places([...names].map((name) => having(`/src/messages/${language}/${name}.ts`)));
  const ofEvery = namespacesOf(first);
  const languages = {
    en: catalogues("en", ofEvery),
    zh: [...catalogues("zh", [...ofEvery, ...OF_SERVER.zh]), ...catalogues("en", OF_SERVER.en)],
  };
  const addresses = [...ROUTES.matchAll(LAZY)].map(([, path = "", module = ""]): [string, Files] => {
    const found = closure(having(`/src/${module}.tsx`));
    const texts = Object.fromEntries(LANGUAGES.map((language) => [language, catalogues(language, namespacesOf(found)).filter((place) => !languages[language].includes(place))]));
    return [patternOf(path), { all: places(found), ...texts }];
  });
  return { files, languages, addresses };
}

/** The script in the head of the page with the table of `preloadsOf`. */
export function startScript(table: ReturnType<typeof preloadsOf>): string {
  const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
  return read("public/theme.js") + read("build/start.js").replaceAll(/^\/\* global .*\n/gm, "").replace("PRELOADS", () => JSON.stringify(table));
}

/** Replaces /theme.js by one file with a hash in its name, which also has the preloads. */
export function preloads(): Plugin {
  let script = "";
  return {
    name: "plimsoll-preloads",
    apply: "build",
    enforce: "pre",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
      const table = preloadsOf(chunks, (id) => this.getModuleInfo(id)?.code ?? "");
      const source = startScript(table);
      script = `assets/start-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
      this.emitFile({ type: "asset", fileName: script, source });
    },
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replace('src="/theme.js"', `src="/${script}"`),
    },
  };
}
