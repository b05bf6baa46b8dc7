// A walk over every page of ROUTES, for an administrator: no violation of any rule of axe, no sideways scrolling, one h1, no message id, no English sentence in the Chinese page, no error of the browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, openPage, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { problems, show } from "../lib/problems.mjs";

const ROUTES = new URL("../../../frontend/src/app/routes.tsx", import.meta.url);
const KNOWN = JSON.parse(process.env.KNOWN);
/** Pages for people without a session. */
const FOR_GUESTS = /^\/(shared|x\/|sign-in|invitation)/;
/** What the server refuses on purpose: it is no error of the page. */
const EXPECTED = [
  [/^\/hosts\/:host$|_0{16}|nothing$/, /status of 404/],
  [/^\/(sign-in|invitation)/, /status of 401/],
];
/** Texts that stay English in the Chinese page, each with its reason. */
const STAYS_ENGLISH = [
  [/^(\d+\/\d+ )?Path ladder on every host of the laboratory( · Plimsoll)?$/, "the title that the seeded experiment has"],
  [/^(the kernel has no macvlan|no swarm on this host|All signals agree\.)$/, "a worker's text that the seeded records made up"],
  [/^with userland-proxy off nothing takes a connection from \[::1\]/, "the reason of a path has no id without the path's name before it"],
  [/^not measured yet$/, "the reason of a cell that waits, in a group that runs, is shown without its id"],
  [/^\S*plimsoll( \S+)+$/, "a command"],
];
const THREE_WORDS = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;
/** Both themes and widths in both languages: every pair of the three is there. */
const VIEWS = { en: [["light", 1280], ["dark", 360]], zh: [["dark", 1280], ["light", 360]] };

/** Further views: pages that depend on the query, active records, and pages about what is not there. */
const VARIANTS = [
  "/compare?a=:runId&b=:runId", "/compare?run=:runId&run=:otherRunId", "/compare?run=run_0000000000000000&run=:runId",
  "/new?preset=pachot-2019-quick", "/new?experiment=:experimentId", "/new?experiment=exp_0000000000000000",
  "/runs/run_0000000000000000", "/experiments/exp_0000000000000000/history", "/shared#nothing", "/x/nothing",
  "/library?q=nothing-has-this-name", "/runs/:activeRunId", "/run-groups/:activeGroupId",
];
const routes = [...new Set([...readFileSync(ROUTES, "utf8").matchAll(/path: "([^"]+)"/g)].map(([, path]) => path)), ...VARIANTS];
/** All of them, counted: the expression above can miss none unnoticed. */
const ROUTE_COUNT = 46;

/** The address of a route with the ids of the seeded records. */
function addressOf(route) {
  if (route === "*") return "/no/such/page";
  if (route === "/shared") return `/shared#${KNOWN.token}`;
  if (route === "/x/:token") return `/x/${KNOWN.posted}`;
  return route.replace(/:(\w+)/g, (_, name) => {
    assert.ok(KNOWN[name], `no value of :${name} in ${route}`);
    return encodeURIComponent(KNOWN[name]);
  });
}

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Whether a text of the Chinese page has an English sentence. */
function isEnglish(text) {
  return THREE_WORDS.test(text) && !/\p{Script=Han}/u.test(text) && !STAYS_ENGLISH.some(([stays]) => stays.test(text));
}

/** Loads a route and checks it in the views of a language. Returns these views, and what is wrong. */
async function check({ page, seen }, route, language) {
  const checked = [];
  const found = [];
  const english = new Set();
  try {
    const [[theme, width]] = VIEWS[language];
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(URL_BASE + addressOf(route));
    await page.locator("main h1").first().waitFor();
    await settled(page);
    for (const [index, [shownTheme, shownWidth]] of VIEWS[language].entries()) {
      if (index > 0) await show(page, shownTheme, shownWidth);
      const view = `${route} ${language} ${shownTheme} ${shownWidth}`;
      const now = await problems(page);
      found.push(...now.found.map((text) => `${view}: ${text}`));
      if (language === "zh") for (const text of now.texts) if (isEnglish(text)) english.add(text.slice(0, 160));
      await shot(page, `page-${route.replace(/\W+/g, "-")}-${language}-${shownTheme}-${shownWidth}`);
      checked.push(view);
    }
  } catch (error) {
    found.push(`${route} ${language}: ${error.message.split("\n")[0]}`);
  }
  // Nothing of this route is left for the next one.
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  const errors = [...seen.errors.splice(0), ...seen.foreign.splice(0)].filter((text) => !EXPECTED.some(([at, refusal]) => at.test(route) && refusal.test(text)));
  if (errors.length > 0) found.push(`${route} ${language}: console: ${errors[0].slice(0, 300)}`);
  found.push(...[...english].map((text) => `${route}: English in the Chinese page: ${text}`));
  return { checked, found };
}

const { ONLY_LANGUAGE, ONLY_ROUTES } = process.env;
for (const language of ONLY_LANGUAGE ? [ONLY_LANGUAGE] : Object.keys(VIEWS))
  test(`every page in ${language}`, { timeout: TEST_MS }, async (t) => {
    // One page for all routes: a browser keeps the product's code, compiled.
    const [guest, member] = [await openPage(browser, { guest: true, withAxe: true, language }), await openPage(browser, { withAxe: true, language })];
    const walked = routes.filter((each) => !ONLY_ROUTES || ONLY_ROUTES.split(",").includes(each));
    const all = { checked: [], found: [] };
    for (const route of walked) {
      const { checked, found } = await check(FOR_GUESTS.test(route) ? guest : member, route, language);
      for (const text of found) t.diagnostic(text);
      all.checked.push(...checked);
      all.found.push(...found);
    }
    t.diagnostic(`${walked.length} routes, ${all.checked.length} views`);
    assert.deepEqual(all.found, []);
    assert.equal(new Set(all.checked).size, (ONLY_ROUTES ? walked.length : ROUTE_COUNT) * VIEWS[language].length);
  });
