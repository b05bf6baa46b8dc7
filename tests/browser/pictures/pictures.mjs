// Makes the pictures of README.md in docs/images, from a running product with real runs:
// PLIMSOLL_URL=http://127.0.0.1:8420 PLIMSOLL_VAR_DIR=var RUN=run_… [ONLY=result-light,home] node tests/browser/pictures/pictures.mjs
// RUN is a finished run. The picture of a run in progress needs ACTIVE, a run that is being measured.
import { launch, openPage, settled, URL_BASE } from "../lib/chromium.mjs";

const FOLDER = new URL("../../../docs/images/", import.meta.url).pathname;
const { RUN, ACTIVE, ONLY } = process.env;
const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

const pictures = {
  "result-light": { path: `/runs/${RUN}`, needs: RUN },
  "result-dark": { path: `/runs/${RUN}`, needs: RUN, viewport: WIDE, theme: "dark" },
  home: { path: "/", needs: RUN },
  "new-experiment": { path: "/new?preset=pachot-2019-quick", needs: RUN, ready: "[data-plan-bar] button:enabled" },
  run: { path: `/runs/${ACTIVE}`, needs: ACTIVE, ready: "[role=progressbar]" },
  "phone-chinese": { path: `/runs/${RUN}`, needs: RUN, viewport: PHONE, language: "zh" },
};

const browser = await launch();
for (const [name, { path, needs, viewport = WIDE, theme = "light", language = "en", ready }] of Object.entries(pictures)) {
  if (!needs || (ONLY && !ONLY.split(",").includes(name))) continue;
  const { context, page } = await openPage(browser, { viewport, colorScheme: theme, language });
  await page.goto(URL_BASE + path);
  await page.locator("main h1").first().waitFor();
  if (ready) await page.locator(ready).first().waitFor();
  await settled(page);
  await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => undefined);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  console.log(`docs/images/${name}.png`);
  await context.close();
}
await browser.close();
