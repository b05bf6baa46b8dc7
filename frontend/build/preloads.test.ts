import { Script } from "node:vm";
import type { Rolldown } from "vite";
import { expect, it } from "vitest";
import { preloadsOf, startScript } from "./preloads";

const chunk = (fileName: string, moduleIds: string[], imports: string[] = [], isEntry = false) =>
  ({ fileName, moduleIds, imports, isEntry }) as unknown as Rolldown.OutputChunk;

const CODE: Record<string, string> = {
  "/f/src/main.tsx": 'const t = messages("common");',
  "/f/src/features/runs/RunPage.tsx": 'const t = messages("runs");',
  "/f/src/charts/joint/JointChart.tsx": 'const t = messages("charts"); const c = messages("common");',
};
const CHUNKS = [
  chunk("index.js", ["/f/src/main.tsx"], ["runtime.js"], true),
  chunk("runtime.js", []),
  chunk("run.js", ["/f/src/features/runs/RunPage.tsx"], ["index.js", "joint.js"]),
  chunk("joint.js", ["/f/src/charts/joint/JointChart.tsx"], ["index.js", "recharts.js"]),
  chunk("recharts.js", []),
  chunk("first-en.js", ["/f/src/messages/en/common.ts"]),
  chunk("first-zh.js", ["/f/src/messages/zh/common.ts"]),
  chunk("result-en.js", ["/f/src/messages/en/runs.ts", "/f/src/messages/en/charts.ts"]),
  chunk("result-zh.js", ["/f/src/messages/zh/runs.ts", "/f/src/messages/zh/charts.ts"]),
  chunk("server-zh.js", ["/f/src/messages/zh/catalog.ts", "/f/src/messages/zh/labels.ts"]),
  chunk("server-en.js", ["/f/src/messages/en/catalog.ts", "/f/src/messages/en/labels.ts"]),
];

it("names what an address needs beside the first script, with the messages of a language, each once", () => {
  const { files, languages, addresses } = preloadsOf(CHUNKS, (id) => CODE[id] ?? "");
  const named = (places: number[] = []) => places.map((place) => files[place]);
  const of = (path: string) => addresses.find(([pattern]) => new RegExp(pattern).test(path))?.[1] ?? {};
  const run = of("/runs/run_1");
  expect(named(run.all)).toEqual(["/run.js", "/joint.js", "/recharts.js"]);
  expect(named(run.en)).toEqual(["/result-en.js"]);
  expect(named(run.zh)).toEqual(["/result-zh.js"]);
  expect(named(languages.en)).toEqual(["/first-en.js"]);
  expect(named(languages.zh)).toEqual(["/first-zh.js", "/server-zh.js", "/server-en.js"]);
});

it("knows every page that is loaded on demand", () => {
  const { addresses } = preloadsOf(CHUNKS, () => "");
  const known = (path: string) => addresses.some(([pattern]) => new RegExp(pattern).test(path));
  expect(["/new", "/runs/run_1/", "/runs/run_1/cells/c1", "/x/token", "/help"].map(known)).toEqual([true, true, true, true, true]);
  expect(known("/no/such/page")).toBe(false);
});

it("puts the table into the script, and is one that can be parsed", () => {
  const table = preloadsOf(CHUNKS, (id) => CODE[id] ?? "");
  const script = startScript(table);
  expect(script).toContain(`= ${JSON.stringify(table)};`);
  expect(script).not.toContain("PRELOADS");
  expect(() => new Script(script)).not.toThrow();
});
