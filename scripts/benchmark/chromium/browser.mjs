// Chromium, and what the measurements in it share. The configuration is the JSON file that the command line names.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../frontend/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const config = JSON.parse(readFileSync(process.argv[2], "utf8"));
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });

export const round = (value, digits = 1) => Number(value.toFixed(digits));
export const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
export const spread = (values) => ({ n: values.length, min: round(Math.min(...values)), median: round(quantile(values, 0.5)), max: round(Math.max(...values)) });

/** A page of a browser in which the account is signed in. */
export async function open() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: config.cookie.name, value: config.cookie.value, url: config.url }]);
  const page = await context.newPage();
  return { context, page };
}

/** Notes in `window.drawn` when `selector` first matches at least `count` elements, two frames later, in ms since navigation. */
export async function noteDrawn(page, selector, count) {
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
