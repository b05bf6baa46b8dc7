// Home, a new experiment and a result: at most 25 requests until the first chart, and nothing moves. EVERY=1 takes three widths, not the narrowest alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { visit } from "../../../scripts/benchmark/chromium/visit.mjs";
import { launch, openPage, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const { runId } = JSON.parse(process.env.KNOWN);
const REQUESTS = 25;
const SHIFT = 0.02;
const WIDTHS = process.env.EVERY ? [1280, 768, 390] : [390];
const PAGES = { "/": "main section :is(h2, h3)", "/new": "main fieldset", [`/runs/${runId}`]: "main svg.recharts-surface" };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("few requests, and a layout that stays", { timeout: TEST_MS }, async (t) => {
  const visits = Object.entries(PAGES).flatMap(([path, selector]) => WIDTHS.map((width) => ({ path, selector, width })));
  // Side by side: each ends two seconds after its last change.
  const found = await Promise.all(
    visits.map(async ({ path, selector, width }) => {
      const { context, page } = await openPage(browser, { viewport: { width, height: 800 } });
      const { requests, shift, moved } = await visit(page, URL_BASE + path, selector);
      await context.close();
      return { what: `${path} ${width}: ${requests} requests, shift ${shift.toFixed(4)} (${moved.slice(0, 4).join(", ")})`, isGood: requests <= REQUESTS && shift <= SHIFT };
    }),
  );
  for (const { what } of found) t.diagnostic(what);
  assert.deepEqual(found.filter(({ isGood }) => !isGood).map(({ what }) => what), []);
});
