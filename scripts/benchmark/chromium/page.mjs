// Measures the page in Chromium: node page.mjs CONFIG, a JSON file with url, cookie, run and seconds. Prints one JSON document.
import { browser, config, noteDrawn, open, quantile, round, spread } from "./browser.mjs";
import { library } from "./library.mjs";

const FIRST_VIEWS = 7;
const MATRICES = 5;
const SCROLL_MS = 5000;
/** The result is drawn meanwhile, too. */
const SETTLE_MS = 10_000;
const IDLE_MS = 15_000;
/** So many times the heap is measured. */
const HEAPS = 40;

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
    await page.goto(`${config.url}/runs/${config.run}?tab=trials`);
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

/** CPU milliseconds of the page's main thread in each second of `work`: all of its tasks, and scripts among them. */
async function cpu(client, work) {
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => Object.fromEntries((await client.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  const [before, began] = [await read(), performance.now()];
  const done = await work();
  const [after, seconds] = [await read(), (performance.now() - began) / 1000];
  await client.send("Performance.disable");
  const per = (name) => round((1000 * (after[name] - before[name])) / seconds);
  return { done, tasks: per("TaskDuration"), scripts: per("ScriptDuration") };
}

async function heap(client) {
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Runtime.getHeapUsage")).usedSize / 1e6;
}

/** One page that follows the run while its trials change: frames while it scrolls, CPU, and the heap after garbage collections. */
async function following() {
  const { context, page } = await open();
  await page.goto(`${config.url}/runs/${config.run}?tab=trials`);
  await page.locator(`${GRID} [role="row"]`).nth(9).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(SETTLE_MS);
  const client = await context.newCDPSession(page);
  const { done, ...scrolling } = await cpu(client, () => scroll(page));
  const { tasks, scripts } = await cpu(client, () => page.waitForTimeout(Math.min(IDLE_MS, 1000 * config.seconds)));
  const began = Date.now();
  const used = [];
  for (let due = 0; due <= config.seconds; due += Math.max(2, config.seconds / HEAPS)) {
    await page.waitForTimeout(Math.max(0, began + 1000 * due - Date.now()));
    used.push([round((Date.now() - began) / 60_000, 3), round(await heap(client), 3)]);
  }
  await context.close();
  return {
    scrolling_with_events: { ...frames(done), cpu_ms_per_second: scrolling },
    events: { cpu_ms_per_second: { tasks, scripts } },
    heap_mb_by_minute: used,
  };
}

const found = { first_view: await firstView(), matrix: await matrix(), library: await library(), ...(await following()) };
await browser.close();
process.stdout.write(JSON.stringify(found));
