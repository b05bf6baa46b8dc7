// One visit of a page in Chromium: its requests by kind, their bytes, and how much of it moved.

/** Of the network's emulation: 1.6 Mbit/s each way, and 150 ms to each answer. */
export const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
/** A visit ends so long after the last change of the document. */
const QUIET_MS = 2000;
/** What changes for ever, such as a clock, ends it, too. */
const MOST_MS = 20_000;
const KINDS = { Document: "document", Script: "script", Stylesheet: "style", Font: "font", Fetch: "fetch", XHR: "fetch", EventSource: "event stream" };

/** Runs in the page, before its scripts: notes when `selector` is first drawn (two frames after it is in the document), the last change, the largest contentful paint, and shifts of the layout that followed no input. */
function note(selector) {
  window.visit = { shift: 0, moved: [], largest: 0, changed: 0, drawn: undefined };
  const { visit } = window;
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  const nameOf = ({ node }) => node?.className?.baseVal ?? node?.className ?? node?.nodeName;
  watch("layout-shift", (entry) => {
    if (entry.hadRecentInput) return;
    visit.shift += entry.value;
    visit.moved.push(...entry.sources.map(nameOf));
  });
  watch("largest-contentful-paint", (entry) => (visit.largest = entry.startTime));
  let isDrawn = false;
  new MutationObserver(() => {
    visit.changed = performance.now();
    if (isDrawn || !document.querySelector(selector)) return;
    isDrawn = true;
    requestAnimationFrame(() => requestAnimationFrame(() => (visit.drawn = performance.now())));
  }).observe(document, { childList: true, subtree: true });
}

/** Loads an address. Returns its requests until `selector` was drawn and in all, their bytes, times in ms, and the layout's shift. */
export async function visit(page, url, selector, network) {
  const client = await page.context().newCDPSession(page);
  const requests = new Map();
  await client.send("Network.enable");
  if (network) await client.send("Network.emulateNetworkConditions", network);
  client.on("Network.requestWillBeSent", ({ requestId, type, timestamp, request }) => /^https?:/.test(request.url) && requests.set(requestId, { kind: KINDS[type] ?? "other", at: timestamp, bytes: 0 }));
  client.on("Network.responseReceived", ({ requestId, response }) => response.mimeType === "text/event-stream" && requests.has(requestId) && (requests.get(requestId).kind = "event stream"));
  client.on("Network.dataReceived", ({ requestId, encodedDataLength }) => requests.has(requestId) && (requests.get(requestId).bytes += encodedDataLength));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => requests.has(requestId) && (requests.get(requestId).bytes = encodedDataLength));
  await page.addInitScript(note, selector);
  await page.goto(url);
  await page.waitForFunction(() => window.visit.drawn !== undefined, undefined, { timeout: 120_000 });
  await page.waitForFunction((quiet) => performance.now() - window.visit.changed > quiet, QUIET_MS, { timeout: MOST_MS }).catch(() => undefined);
  const { drawn, largest, shift, moved } = await page.evaluate(() => window.visit);
  const all = [...requests.values()];
  const began = Math.min(...all.map(({ at }) => at));
  const first = all.filter(({ at }) => 1000 * (at - began) < drawn);
  const kinds = {};
  for (const { kind } of first) kinds[kind] = (kinds[kind] ?? 0) + 1;
  await client.detach();
  return { requests: first.length, all_requests: all.length, kinds, kb: first.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, drawn_ms: drawn, lcp_ms: largest, shift, moved };
}
