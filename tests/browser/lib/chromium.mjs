// A real Chromium against a running product: PLIMSOLL_URL says where, PLIMSOLL_VAR_DIR its data or COOKIE a session, PLIMSOLL_SHOTS where to keep pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(new URL("../../../frontend/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const URL_BASE = (process.env.PLIMSOLL_URL ?? "http://127.0.0.1:8420").replace(/\/$/, "");
/** The time limits of a step of the browser and of a test: they end what hangs; nothing is expected to take that long. */
export const STEP_MS = 60_000;
export const TEST_MS = 15 * 60_000;
const SHOTS = process.env.PLIMSOLL_SHOTS;
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
}

/** The pages that are open. */
const pages = new Set();

const PLIMSOLL = new URL("../../../.venv/bin/plimsoll", import.meta.url).pathname;
let signedIn;

/** The cookies of a browser that opened a sign-in link: one per test file. */
async function cookiesOfLink(browser) {
  signedIn ??= (async () => {
    const link = execFileSync(PLIMSOLL, ["admin", "link"], { encoding: "utf8" }).trim();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.waitForURL(`${URL_BASE}/`);
    const cookies = await context.cookies();
    await context.close();
    return cookies;
  })();
  return signedIn;
}

/** Signs a context in at an origin: with the session of COOKIE, or else by a sign-in link. */
export async function enter(context, origin = URL_BASE) {
  const { COOKIE } = process.env;
  if (!COOKIE) return context.addCookies(await cookiesOfLink(context.browser()));
  const [name, ...value] = COOKIE.split("=");
  return context.addCookies([{ name, value: value.join("="), url: origin }]);
}

/** A request of a script on this host. */
export function fetchWithToken(url, options = {}) {
  const { token } = JSON.parse(readFileSync(join(process.env.PLIMSOLL_VAR_DIR, "access.json"), "utf8"));
  return fetch(url, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
}

/** The answer of the API to a request of a script on this host. */
export async function api(path, options) {
  const answer = await fetchWithToken(`${URL_BASE}/api/v1${path}`, options);
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** Sends an object to the API as the person does who is signed in on this page; some operations need a browser's session. */
export async function postFrom(page, path, body = {}) {
  const { status, text } = await page.evaluate(async ([to, sent]) => {
    const { csrf_token: token } = await (await fetch("/api/v1/session")).json();
    const answer = await fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": token }, body: JSON.stringify(sent) });
    return { status: answer.status, text: await answer.text() };
  }, [path, body]);
  assert.ok(status < 300, `${path}: ${status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** A page that keeps what went wrong: console errors, uncaught errors, requests to other origins, all request URLs. A guest is not signed in; `withAxe`, for a page of many loads, each has axe from its start. */
export async function openPage(browser, { guest = false, withAxe = false, language, origin = URL_BASE, ...options } = {}) {
  const locale = language && { locale: language === "zh" ? "zh-CN" : "en-US" };
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...locale, ...options });
  context.setDefaultTimeout(STEP_MS);
  if (language) await context.addInitScript((to) => location.protocol !== "about:" && localStorage.setItem("plimsoll.language", to), language);
  if (!guest) await enter(context, origin);
  if (withAxe) await context.addInitScript(`if (location.protocol !== "about:") { ${axe} }`);
  const page = await context.newPage();
  pages.add(page);
  page.once("close", () => pages.delete(page));
  const seen = { errors: [], foreign: [], urls: [] };
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("request", (request) => {
    seen.urls.push(request.url());
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url())) seen.foreign.push(request.url());
  });
  return { context, page, seen };
}

export function assertClean(seen) {
  assert.deepEqual(seen.errors, [], "errors in the browser's console");
  assert.deepEqual(seen.foreign, [], "requests to another origin");
}

/** A picture of the whole page, or of the first part that `selector` finds. */
export async function shot(page, name, selector) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  const path = join(SHOTS, `${name}.png`);
  await (selector ? page.locator(selector).first().screenshot({ path }) : page.screenshot({ path, fullPage: true }));
}

/** The violations that axe finds; nothing else is described in full, which is faster. */
export async function violations(page, options) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (given) => {
    // A bar that stays at the lower edge covers a part of what can be scrolled away from it.
    const bars = [...document.querySelectorAll("section")].filter((each) => {
      const { position, bottom } = getComputedStyle(each);
      return position === "sticky" && bottom !== "auto";
    });
    for (const bar of bars) bar.style.position = "static";
    const { violations: found } = await window.axe.run({ ...given, resultTypes: ["violations"] });
    for (const bar of bars) bar.style.position = "";
    return found;
  }, options);
}

/** Pixels by which the page scrolls sideways. After a change of the window's width, charts are drawn anew a moment later. */
export async function sideways(page) {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth, undefined, { timeout: 20_000 }).catch(() => undefined);
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
}

/** No horizontal scrolling of the page, and nothing serious for axe; with `all`, nothing at all. `rules` are the only ones to run, by default those that axe enables. */
export async function assertReadable(page, what, { all = false, rules } = {}) {
  const over = await sideways(page);
  assert.equal(over, 0, `${what}: the page scrolls sideways by ${over} px`);
  const serious = (await violations(page, rules && { runOnly: rules })).filter((each) => all || each.impact === "serious" || each.impact === "critical");
  assert.deepEqual(serious.map((each) => `${each.id}: ${each.nodes[0].html}`), [], `${what}: accessibility`);
}

/** On paper: what holds cards is no grid, which loses what does not fit on its first page; there are no buttons; nothing is cut at its edge. What is too wide for the page, the browser prints smaller. */
export async function assertPrintable(page, what) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 703, height: 1000 }); // A4 without its margins
  await page.emulateMedia({ media: "print" });
  const found = await page.evaluate(() => {
    const around = new Set();
    for (const card of document.querySelectorAll("main section")) for (let each = card.parentElement; each; each = each.parentElement) around.add(each);
    const start = (each) => each.outerHTML.slice(0, 80);
    const isCut = (each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1 && !each.matches("input, select") && getComputedStyle(each).overflowX !== "visible";
    return {
      cards: around.size > 0,
      grids: [...around].filter((each) => getComputedStyle(each).display !== "block").map(start),
      buttons: [...document.querySelectorAll("main :is(a, button)[data-kind]")].filter((each) => each.checkVisibility()).map(start),
      cut: [...document.querySelectorAll("main *")].filter(isCut).map(start),
    };
  });
  assert.deepEqual(found, { cards: true, grids: [], buttons: [], cut: [] }, `${what}: on paper`);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(before);
}

/** Opens a tab of a result, by the beginning of its name. */
export async function openTab(page, name) {
  await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("tabpanel", { name: new RegExp(`^${name}`) }).waitFor();
}

/** The button in the header that opens the account's menu. */
export const accountButton = (page) => page.locator("header").getByRole("button", { name: /^Account: / });

/** Opens the account's menu and chooses an item of it. */
export async function fromAccountMenu(page, role, name) {
  await accountButton(page).click();
  await page.getByRole(role, { name }).click();
}

/** Waits until nothing on the page says that it is loading. */
export async function settled(page) {
  const loading = 'main [role="status"][aria-label]';
  try {
    await page.waitForFunction((selector) => !document.querySelector(selector), loading, { timeout: STEP_MS });
  } catch (error) {
    const label = await page.locator(loading).first().getAttribute("aria-label", { timeout: 1000 }).catch(() => null);
    throw label === null ? error : new Error(`still loading: ${label}`);
  }
}

/** After a failure: a picture of every page that is open, beside the logs. */
async function keepPictures(name) {
  const folder = process.env.PLIMSOLL_FAILURE_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const [place, page] of [...pages].filter((each) => !each.isClosed()).entries()) {
    const path = join(folder, `${name.replace(/\W+/g, "-").slice(0, 80)}-${place}.png`);
    await page.screenshot({ path, fullPage: true }).catch((error) => console.error(`no picture: ${error.message}`));
  }
}

const MENU = /: copy or download$/;

/** The images that the menu of a chart offers. */
async function imagesOf(page, button) {
  const title = (await button.getAttribute("aria-label")).replace(MENU, "");
  await button.click();
  const menu = page.getByRole("menu");
  await menu.waitFor();
  const items = await menu.getByRole("menuitem", { name: /^Download (PNG|SVG)$/ }).evaluateAll((found) => found.map((each) => ({ format: each.textContent.replace("Download ", ""), href: each.href })));
  await button.click();
  await menu.waitFor({ state: "detached" });
  return items.map(({ format, href }) => ({ name: `${title} as ${format}`, href }));
}

/** Every image that the page links or a menu of a chart offers is there, in the theme that is seen; returns what they are called. */
export async function assertImages(page, theme) {
  const links = await page.getByRole("link", { name: / as (PNG|SVG)$/ }).evaluateAll((found) => found.map((each) => ({ name: each.ariaLabel, href: each.href })));
  for (const menu of await page.getByRole("button", { name: MENU }).all()) links.push(...(await imagesOf(page, menu)));
  assert.ok(links.length >= 2, "the page links no image");
  for (const { name, href } of links) {
    const answer = await fetchWithToken(href);
    assert.equal(answer.status, 200, `${name}: ${href}`);
    assert.match(answer.headers.get("content-type"), name.endsWith("PNG") ? /^image\/png/ : /^image\/svg/);
    assert.ok((await answer.arrayBuffer()).byteLength > 1000, `${name} is empty`);
    assert.ok(href.includes(`theme=${theme}`), `${name}: ${href}`);
  }
  return links.map(({ name }) => name);
}

/** The steps of a test, run one by one; after one that failed, the others are skipped, because each depends on those before it. */
export function stepsOf(t) {
  let broken = false;
  return (name, run) =>
    t.test(name, { skip: broken && "an earlier step failed" }, async () => {
      broken = true;
      await run().catch(async (error) => {
        await keepPictures(name);
        throw error;
      });
      broken = false;
    });
}
