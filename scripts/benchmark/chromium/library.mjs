// How long the library takes to answer a key: from the key to the frame after its answer is in the document.
import { config, open, quantile, round, spread } from "./browser.mjs";

const TEXTS = ["proxy study 42", "path:nginx_stream", "host:bench-3 clients:16", "chatty database"];
const BETWEEN_KEYS_MS = 250;

/** Notes each key with the text that it made, and the frames after changes of the content. */
function noteKeys() {
  window.keys = [];
  window.drawnAt = [];
  document.addEventListener("input", ({ target, timeStamp }) => window.keys.push({ text: target.value.trim(), at: timeStamp }), true);
  const observer = new MutationObserver(() => {
    if (!document.querySelector("[data-library-search]")) return;
    requestAnimationFrame(() => window.drawnAt.push(performance.now()));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
}

/** The keys with milliseconds from the key to its request, to its answer, and to the first frame after that. */
function answered() {
  const sent = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.endsWith("/api/v1/library"));
  return window.keys.flatMap(({ text, at }) => {
    const entry = sent.find(({ name, startTime, responseEnd }) => (new URL(name).searchParams.get("q") ?? "") === text && startTime >= at - 1 && responseEnd > 0);
    if (!entry) return [];
    const drawn = window.drawnAt.find((time) => time >= entry.responseEnd);
    return drawn === undefined ? [] : [{ request: entry.startTime - at, answer: entry.responseEnd - at, drawn: drawn - at }];
  });
}

export async function library() {
  const { context, page } = await open();
  await page.addInitScript(noteKeys);
  const all = [];
  let typed = 0;
  for (const text of TEXTS) {
    await page.goto(`${config.url}/library`);
    await page.locator("[data-row-link]").first().waitFor({ timeout: 120_000 });
    await page.locator("[data-library-search] input[role=combobox]").click();
    await page.keyboard.type(text, { delay: BETWEEN_KEYS_MS });
    await page.waitForTimeout(1000);
    typed += await page.evaluate(() => window.keys.length);
    all.push(...(await page.evaluate(answered)));
  }
  await context.close();
  const of = (name) => ({ ...spread(all.map((each) => each[name])), p95: round(quantile(all.map((each) => each[name]), 0.95)) });
  return { keys: typed, key_to_request_ms: of("request"), key_to_answer_ms: of("answer"), key_to_frame_ms: of("drawn") };
}
