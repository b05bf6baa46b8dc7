// Home of a server without any run: one primary button, and nothing wrong, in both languages and themes and at both widths.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, launch, openPage, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { problems, show } from "../lib/problems.mjs";

const FIRST_STEP = { en: /^See the plan of the first run/, zh: /^查看第一次运行的计划/ };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const [language, name] of Object.entries(FIRST_STEP))
  test(`home without runs in ${language}`, { timeout: TEST_MS }, async () => {
    const { context, page, seen } = await openPage(browser, { language });
    await page.goto(`${URL_BASE}/`);
    await page.getByRole("link", { name }).waitFor();
    await settled(page);
    const found = [];
    for (const theme of ["light", "dark"])
      for (const width of [1280, 360]) {
        await show(page, theme, width);
        const view = `${language} ${theme} ${width}`;
        const primary = await page.locator('[data-kind="primary"]:visible').allInnerTexts();
        if (primary.length !== 1 || !name.test(primary[0])) found.push(`${view}: primary buttons: ${primary.join(", ")}`);
        found.push(...(await problems(page)).found.map((text) => `${view}: ${text}`));
        await shot(page, `home-first-${language}-${theme}-${width}`);
      }
    assert.deepEqual(found, []);
    assertClean(seen);
    await context.close();
  });
