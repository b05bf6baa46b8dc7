// The API page: from the palette to an operation that is tried; nothing that the policy forbids, nothing from another origin, and axe, in both languages and themes and at both widths.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, launch, openPage, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { problems, show } from "../lib/problems.mjs";

/** Operations that the viewer draws in different ways: parameters, bodies with examples, large schemas, files, a stream. */
const DRAWN = ["listRuns", "startRun", "createExperiment", "getResult", "exportRun", "streamRun", "importRun", "openShare", "setHostPolicy", "recordTrial"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A page that also keeps what its Content-Security-Policy refused. */
async function openWatched(options) {
  const opened = await openPage(browser, options);
  await opened.page.addInitScript(() => {
    window.refused = [];
    addEventListener("securitypolicyviolation", (event) => window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`));
  });
  return opened;
}

/** Waits until the viewer has drawn the responses of an operation. */
const drawn = (page) => page.locator(".swagger-ui tr.response").first().waitFor();

const search = (page) => page.getByRole("searchbox", { name: "Search operations" });

test("an operation is found from the palette, and tried", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openWatched({ language: "en" });
  await page.goto(`${URL_BASE}/`);
  await page.locator("main h1").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("api");
  await page.getByRole("option", { name: "API", exact: true }).click();
  await page.waitForURL(`${URL_BASE}/api-docs`);
  await search(page).fill("list runs");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "List runs, newest first" }).waitFor();
  await drawn(page);
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.locator('tr[data-param-name="limit"] input').fill("2");
  const answered = page.waitForResponse((answer) => answer.url().startsWith(`${URL_BASE}/api/v1/runs?`));
  await page.getByRole("button", { name: "Execute" }).click();
  assert.equal((await answered).status(), 200);
  assert.match(new URL((await answered).url()).search, /limit=2/);
  await page.locator(".live-responses-table .response-col_status").getByText("200").waitFor();
  assert.match(await page.locator(".live-responses-table pre").first().innerText(), /"next_cursor"/);
  assert.deepEqual(await page.evaluate(() => window.refused), []);
  assertClean(seen);
  await context.close();
});

test("what the viewer draws is allowed by the policy", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openWatched({ language: "en" });
  await page.goto(`${URL_BASE}/docs`);
  await page.waitForURL(`${URL_BASE}/api-docs`);
  for (const id of DRAWN) {
    await search(page).fill(id);
    await page.getByRole("navigation", { name: "Operations" }).locator(`a[href$="operation=${id}"]`).click();
    await drawn(page);
    for (const tab of await page.locator('.swagger-ui [role="tab"][data-name="model"]').all()) await tab.click();
    const tries = await page.getByRole("button", { name: "Try it out" }).count();
    assert.equal(tries, ["listRuns", "getResult"].includes(id) ? 1 : 0, `${id} can be tried`);
  }
  assert.deepEqual(await page.evaluate(() => window.refused), []);
  assertClean(seen);
  await context.close();
});

test("in a narrow window the operation replaces the list, and the focus follows", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser, { language: "en", viewport: { width: 360, height: 800 } });
  await page.goto(`${URL_BASE}/api-docs`);
  await search(page).fill("cancel a run");
  await page.getByRole("link", { name: "Cancel a run" }).press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("h2") && document.activeElement.textContent === "Cancel a run");
  assert.equal(await search(page).isVisible(), false);
  await page.getByRole("link", { name: "All operations" }).press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("input[type=search]"));
  assertClean(seen);
  await context.close();
});

test("only the page of an operation loads the viewer", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser, { language: "en" });
  const isViewer = (url) => /\/assets\/Viewer-[^/]+\.js$/.test(url);
  await page.goto(`${URL_BASE}/api-docs`);
  await search(page).waitFor();
  assert.deepEqual(seen.urls.filter(isViewer), []);
  await page.goto(`${URL_BASE}/api-docs?operation=startRun`);
  await drawn(page);
  assert.equal(seen.urls.filter(isViewer).length, 1);
  await context.close();
});

for (const language of ["en", "zh"])
  test(`an operation in ${language}`, { timeout: TEST_MS }, async () => {
    const { context, page, seen } = await openWatched({ language });
    const found = [];
    for (const id of ["listRuns", "startRun"]) {
      await page.goto(`${URL_BASE}/api-docs?operation=${id}`);
      await drawn(page);
      await settled(page);
      for (const theme of ["light", "dark"])
        for (const width of [1280, 360]) {
          await show(page, theme, width);
          found.push(...(await problems(page)).found.map((text) => `${id} ${language} ${theme} ${width}: ${text}`));
          await shot(page, `api-docs-${id}-${language}-${theme}-${width}`);
        }
      found.push(...(await page.evaluate(() => window.refused)));
    }
    assert.deepEqual(found, []);
    assertClean(seen);
    await context.close();
  });
