// What is copied for curl and Python, run by a shell and by python3: the answer is what the page itself was sent.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { assertClean, launch, openPage, postFrom, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const KNOWN = JSON.parse(process.env.KNOWN);
const PROGRAMS = [["curl", "sh", ["-s"]], ["Python", "python3", ["-"]]];
const PERMISSIONS = ["clipboard-read", "clipboard-write"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A page, and what the API answered it, by path with query. */
async function open(path, ready) {
  const opened = await openPage(browser, { permissions: PERMISSIONS });
  const answers = new Map();
  opened.page.on("response", async (answer) => {
    const { pathname, search } = new URL(answer.url());
    if (!/\/api\/v1\/(runs\/[^/]+(\/result)?|library)$/.test(pathname)) return;
    answers.set(pathname + search, await answer.json().catch(() => null));
  });
  await opened.page.goto(URL_BASE + path);
  await opened.page.locator("main h1").first().waitFor();
  if (ready) await opened.page.getByText(ready).first().waitFor();
  await settled(opened.page);
  const name = `script ${path}`.slice(0, 40);
  const { token } = await postFrom(opened.page, "/tokens", { name, scopes: ["run:read"], expires_in_days: 1 });
  return { ...opened, answers, token };
}

/** The answers to what the open dialog copies, with the path that both of its texts name. */
async function copied(page, token) {
  const found = [];
  for (const [kind, program, input] of PROGRAMS) {
    await page.getByRole("dialog").getByRole("button", { name: kind, exact: true }).click();
    await page.getByRole("button", { name: `Copy as ${kind}` }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const env = { ...process.env, PLIMSOLL_TOKEN: token };
    const [, path] = new RegExp(`${URL_BASE}(/[^'"]*)['"]`).exec(text.replaceAll("'\\''", "%27"));
    found.push({ kind, path, answer: JSON.parse(execFileSync(program, input, { input: text, encoding: "utf8", env })) });
  }
  return found;
}

test("a result: its JSON", { timeout: TEST_MS }, async () => {
  const { context, page, seen, answers, token } = await open(`/runs/${KNOWN.runId}`);
  await page.getByRole("button", { name: "Export" }).click();
  for (const { kind, path, answer } of await copied(page, token)) {
    assert.equal(path, `/api/v1/runs/${KNOWN.runId}/result`);
    assert.deepEqual(answer, answers.get(path), kind);
  }
  await shot(page, "copied-result");
  assertClean(seen);
  await context.close();
});

test("a run in progress: its result so far, and its state and progress", { timeout: TEST_MS }, async () => {
  const { context, page, answers, token } = await open(`/runs/${KNOWN.activeRunId}`);
  await page.getByRole("button", { name: "Export" }).click();
  for (const { kind, path, answer } of await copied(page, token)) assert.deepEqual(answer, answers.get(path), kind);
  await page.getByRole("button", { name: "State and progress" }).click();
  for (const { kind, path, answer } of await copied(page, token)) {
    const known = answers.get(path);
    assert.equal(path, `/api/v1/runs/${KNOWN.activeRunId}`);
    assert.deepEqual([answer.id, answer.state, answer.progress.done], [known.id, known.state, known.progress.done], kind);
  }
  await context.close();
});

test("the library: the same search, also with characters that a shell and an address know", { timeout: TEST_MS }, async () => {
  for (const search of ["", "host:bench-1", `ladder -"it's $HOME" 代价`]) {
    const { context, page, seen, answers, token } = await open(`/library?q=${encodeURIComponent(search)}`);
    await page.getByRole("button", { name: "curl, Python" }).click();
    const shown = [...answers].find(([path]) => path.startsWith("/api/v1/library?"));
    for (const { kind, path, answer } of await copied(page, token)) {
      assert.equal(new URL(URL_BASE + path).searchParams.get("q"), search);
      assert.deepEqual(answer.data.map(({ id }) => id), shown[1].data.map(({ id }) => id), `${kind}: ${search}`);
      assert.deepEqual([answer.total, answer.next_cursor], [shown[1].total, shown[1].next_cursor], kind);
    }
    await shot(page, "copied-search");
    assertClean(seen);
    await context.close();
  }
});

test("a PNG of throughput and CPU is saved by two clicks, and every picture of the dialog is drawn", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await open(`/runs/${KNOWN.runId}`);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog");
  const [saved] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("link", { name: "Download PNG" }).click()]);
  assert.match(saved.suggestedFilename(), /^plimsoll-ladder-run_\w+-joint\.png$/);
  const chart = dialog.getByRole("combobox", { name: "Chart of the image" });
  await chart.locator("option[value=latency]").waitFor({ state: "attached" });
  const kinds = await chart.locator("option").evaluateAll((all) => all.map(({ value }) => value));
  for (const kind of ["joint", "sweep", "roles", "dots", "trade_off", "latency", "ladder", "series"]) assert.ok(kinds.includes(kind), `${kind} is missing of ${kinds}`);
  for (const kind of kinds)
    for (const theme of ["Light", "Dark"]) {
      await chart.selectOption(kind);
      await dialog.getByRole("button", { name: theme, exact: true }).click();
      for (const format of ["PNG", "SVG"]) {
        const href = await dialog.getByRole("link", { name: `Download ${format}` }).getAttribute("href");
        const answer = await page.evaluate(async (to) => {
          const found = await fetch(to);
          return [found.status, (await found.arrayBuffer()).byteLength];
        }, href);
        assert.ok(answer[0] === 200 && answer[1] > 300, `${href}: ${answer}`);
      }
    }
  assertClean(seen);
  await context.close();
});
