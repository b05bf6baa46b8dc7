// Measures the page in Chromium: node page.mjs CONFIG, a JSON file with url, cookie, run and seconds. Prints one JSON document.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../frontend/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const config = JSON.parse(readFileSync(process.argv[2], "utf8"));
const FIRST_VIEWS = 7;
const MATRICES = 5;
const SCROLL_MS = 5000;
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });

const round = (value, digits = 1) => Number(value.toFixed(digits));
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const spread = (values) => ({ n: values.length, min: round(Math.min(...values)), median: round(quantile(values, 0.5)), max: round(Math.max(...values)) });

async function open() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: config.cookie.name, value: config.cookie.value, url: config.url }]);
  const page = await context.newPage();
  return { context, page };
}

/** Notes in `window.drawn` when `selector` first matches at least `count` elements, two frames later, in ms since navigation. */
async function noteDrawn(page, selector, count) {
  await page.addInitScript(([wanted, least]) => {
    const check = () => {
      if (window.drawn !== undefined || document.querySelectorAll(wanted).length < least) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = performance.now())));
    };
    const observer = new MutationObserver(check);
    observer.observe(document, { childList: true, subtree: true });
  }, [selector, count]);
}

async function firstView() {
  const times = [];
  let scripts = 0;
  for (let turn = 0; turn < FIRST_VIEWS; turn += 1) {
    const { context, page } = await open();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    const kinds = new Map();
    let bytes = 0;
    client.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => (bytes += kinds.get(requestId) === "Script" ? encodedDataLength : 0));
    await noteDrawn(page, "main h1", 1);
    await page.goto(`${config.url}/`, { waitUntil: "networkidle" });
    await page.waitForFunction(() => window.drawn !== undefined);
    times.push(await page.evaluate(() => window.drawn));
    scripts = Math.max(scripts, bytes);
    await context.close();
  }
  return { heading_drawn_ms: spread(times), scripts_kb: round(scripts / 1000) };
}

const GRID = '[role="grid"]';

async function matrix() {
  const afterData = [];
  const afterNavigation = [];
  for (let turn = 0; turn < MATRICES; turn += 1) {
    const { context, page } = await open();
    await noteDrawn(page, `${GRID} [role="row"]`, 10);
    await page.goto(`${config.url}/runs/${config.run}`);
    await page.waitForFunction(() => window.drawn !== undefined, null, { timeout: 120_000 });
    const found = await page.evaluate(() => ({
      drawn: window.drawn,
      data: performance.getEntriesByType("resource").filter((entry) => new URL(entry.name).pathname.endsWith("/matrix")).at(0)?.responseEnd,
    }));
    afterData.push(found.drawn - found.data);
    afterNavigation.push(found.drawn);
    await context.close();
  }
  return { drawn_after_data_ms: spread(afterData), drawn_after_navigation_ms: spread(afterNavigation) };
}

/** Scrolls the matrix a step per frame, down and up, and returns the times between frames. */
function scroll(page) {
  return page.evaluate(
    ([selector, length]) =>
      new Promise((resolve) => {
        let box = document.querySelector(selector);
        while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
        const target = box ?? document.scrollingElement;
        const frames = [];
        const began = performance.now();
        let before = began;
        let step = 60;
        const next = (now) => {
          frames.push(now - before);
          before = now;
          if (target.scrollTop + target.clientHeight >= target.scrollHeight - 1) step = -60;
          if (target.scrollTop <= 0) step = 60;
          target.scrollTop += step;
          if (now - began < length) requestAnimationFrame(next);
          else resolve(frames.slice(1));
        };
        requestAnimationFrame(next);
      }),
    [GRID, SCROLL_MS],
  );
}

const frames = (times) => ({ n: times.length, median_ms: round(quantile(times, 0.5)), p95_ms: round(quantile(times, 0.95)), frames_per_second: round((1000 * times.length) / times.reduce((sum, each) => sum + each, 0)) });

async function heap(client) {
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Runtime.getHeapUsage")).usedSize / 1e6;
}

/** One page that follows the run while its trials change. */
async function following() {
  const { context, page } = await open();
  await page.goto(`${config.url}/runs/${config.run}`);
  await page.locator(`${GRID} [role="row"]`).nth(9).waitFor({ timeout: 120_000 });
  const client = await context.newCDPSession(page);
  const scrolled = frames(await scroll(page));
  const used = [await heap(client)];
  const ends = Date.now() + 1000 * config.seconds;
  while (Date.now() < ends) {
    await page.waitForTimeout(Math.min(60_000, Math.max(0, ends - Date.now())));
    used.push(await heap(client));
  }
  await context.close();
  return { scrolling_with_events: scrolled, heap_mb_each_minute: used.map((each) => round(each, 2)) };
}

const found = { first_view: await firstView(), matrix: await matrix(), ...(await following()) };
await browser.close();
process.stdout.write(JSON.stringify(found));
