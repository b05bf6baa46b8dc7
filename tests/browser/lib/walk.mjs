// A walk over views: no violation of any rule of axe, no sideways scrolling, one h1, no message id, no error of the browser.
import { openPage, settled, shot, URL_BASE } from "./chromium.mjs";
import { COLOUR_RULES, problems, show, violationsOf } from "./problems.mjs";
import { addressOf, isForGuests } from "./views.mjs";

/** What the server refuses on purpose: it is no error of the page. */
const EXPECTED = [
  [/^\/hosts\/:host$|_0{16}|nothing$/, /status of 404/],
  [/^\/(sign-in|invitation)/, /status of 401/],
];

const named = (route, { language, theme, width }) => `${route} ${language} ${theme} ${width}`;

/** Opens the pages of a walk when they are needed: one for guests and one for the administrator, in each language. `known` has the ids of records. */
export function openWalk(browser, known) {
  const opened = new Map();
  const pageOf = (route, language) => {
    const key = `${isForGuests(route)} ${language}`;
    // One page for many routes: a browser keeps the product's code, compiled.
    if (!opened.has(key)) opened.set(key, openPage(browser, { guest: isForGuests(route), withAxe: true, language }));
    return opened.get(key);
  };
  const close = async () => {
    for (const { context } of await Promise.all(opened.values())) await context.close();
  };
  return { visit: async (route, combinations) => visit(await pageOf(route, combinations[0].language), addressOf(route, known), route, combinations), close };
}

/** Loads a route and checks it in combinations of one language. Returns the names of the checked views, what is wrong, and all texts. */
async function visit({ page, seen }, address, route, combinations) {
  const checked = [];
  const wrong = [];
  const texts = new Set();
  const [{ language, theme, width }] = combinations;
  try {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(URL_BASE + address);
    await page.locator("main h1").first().waitFor();
    await settled(page);
    let shown = combinations[0];
    for (const each of combinations) {
      if (each !== shown) await show(page, each.theme, each.width);
      // Nothing but colours depends on the theme.
      const isRecoloured = each !== shown && each.width === shown.width;
      const now = isRecoloured ? { found: await violationsOf(page, COLOUR_RULES), texts: [] } : await problems(page);
      shown = each;
      wrong.push(...now.found.map((text) => `${named(route, each)}: ${text}`));
      for (const text of now.texts) texts.add(text);
      await shot(page, `page-${route.replace(/\W+/g, "-")}-${language}-${each.theme}-${each.width}`);
      checked.push(named(route, each));
    }
  } catch (error) {
    wrong.push(`${route} ${language}: ${error.message.split("\n")[0]}`);
  }
  // Nothing of this route is left for the next one.
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  const errors = [...seen.errors.splice(0), ...seen.foreign.splice(0)].filter((text) => !EXPECTED.some(([at, refusal]) => at.test(route) && refusal.test(text)));
  if (errors.length > 0) wrong.push(`${route} ${language}: console: ${errors[0].slice(0, 300)}`);
  return { checked, wrong, texts };
}
