import { createClient } from "@hey-api/openapi-ts";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import config from "./openapi-ts.config";

const COMMITTED = join(import.meta.dirname, "src/api/generated");
const generated = await mkdtemp(join(tmpdir(), "plimsoll-generated-"));
afterAll(() => rm(generated, { recursive: true }));

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)));
}

it("the committed client equals the one generated from docs/openapi.json (else run `npm run generate`)", async () => {
  await createClient({ ...(await config), output: generated, logs: { level: "silent" } });
  expect(await filesIn(generated)).toEqual(await filesIn(COMMITTED));
});
