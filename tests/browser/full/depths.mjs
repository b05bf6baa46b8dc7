// The pages of a real run, from start to trial: light and wide, dark and narrow; the images of their charts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, assertClean, assertImages, assertReadable, fromAccountMenu, launch, openPage, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { finishedRun } from "../lib/experiment.mjs";

let browser;
let pages;
before(async () => {
  browser = await launch();
  const { context, page } = await openPage(browser);
  const runId = await finishedRun(page);
  await context.close();
  const { host } = await api(`/runs/${runId}`);
  const [{ id, cell_id: cellId }] = (await api(`/runs/${runId}/trials`)).data;
  pages = {
    start: "/", new: "/new?preset=pachot-2019", host: `/hosts/${encodeURIComponent(host)}`, links: "/links", result: `/runs/${runId}`,
    cell: `/runs/${runId}/cells/${cellId}`, trial: `/runs/${runId}/trials/${id}`, help: "/help",
  };
});
after(() => browser?.close());

/** A host on which lab and host daemon were never compared answers 404 there; the browser logs that itself. */
const withoutMissing = (errors) => errors.filter((text) => !/status of 404/.test(text));

for (const [view, theme, options] of [
  ["light and wide", "light", { colorScheme: "light" }],
  ["dark and narrow", "dark", { colorScheme: "dark", viewport: { width: 390, height: 844 } }],
])
  test(`${view}: every depth is readable`, { timeout: TEST_MS }, async () => {
    const { context, page, seen } = await openPage(browser, options);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(URL_BASE + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      await assertReadable(page, `${name}, ${view}`);
      await shot(page, `${name}-${view.replaceAll(" ", "-")}`);
      if (name === "result" || name === "trial") {
        const images = await assertImages(page, theme);
        assert.ok(images.includes(name === "result" ? "CPU by role as PNG" : "CPU time of the host as SVG"), images.join("; "));
      }
    }
    seen.errors = withoutMissing(seen.errors);
    assertClean(seen);
    await context.close();
  });

test("the chosen dark theme is readable at full width", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser);
  await page.goto(URL_BASE + pages.result);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  await fromAccountMenu(page, "menuitemradio", "Dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await assertReadable(page, "result, dark and wide");
  assertClean(seen);
  await context.close();
});
