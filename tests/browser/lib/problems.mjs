// What is wrong with a page as it is shown: rules of axe, sideways scrolling, headings, message ids, too many words.
import { readdirSync, readFileSync } from "node:fs";
import { sideways, violations } from "./chromium.mjs";

const ENGLISH = new URL("../../../frontend/src/messages/en/", import.meta.url);
/** The rules whose outcome depends on colours. */
export const COLOUR_RULES = ["color-contrast", "color-contrast-enhanced", "link-in-text-block"];
const RULES = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const ids = new Set(
  readdirSync(ENGLISH).flatMap((file) => [...readFileSync(new URL(file, ENGLISH), "utf8").matchAll(/^ {2}(\w+?)(?:_one|_other)?:/gm)].map(([, key]) => key).filter((key) => /[A-Z]/.test(key))),
);

/** A page has at most so many words before something is unfolded; not those that are read as a text, a group of runs, which has a row for each cell and host, and the record of a trial, which is evidence. */
export const MOST_WORDS = 600;
const WITHOUT_LIMIT = /^\/(help|api-docs|run-groups\/.|runs\/\w+\/(trials|cells\/[^/]+\/rounds)\/.)/;

/** The words of the page as it is shown now. */
export function wordsOf(page) {
  return page.evaluate(() => document.querySelector("main").innerText.split(/\s+/).filter(Boolean).length);
}

/** What is wrong with the page as it is shown now, and the texts that it shows. */
export async function problems(page) {
  const found = [];
  const over = await sideways(page);
  const { headings, words, path, texts } = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const shown = [];
    // A part that is marked as English, such as the description of the API, is English in every language.
    const isEnglish = (element) => element.closest("[lang]")?.matches(":not(html)[lang=en]");
    const isText = (element) => !element.closest("noscript, code, pre") && !isEnglish(element);
    while (walker.nextNode()) if (walker.currentNode.textContent.trim() && isText(walker.currentNode.parentElement)) shown.push(walker.currentNode.textContent.trim());
    for (const element of document.querySelectorAll("body [aria-label], body [title], body [placeholder]")) for (const name of ["aria-label", "title", "placeholder"]) if (element.getAttribute(name)) shown.push(element.getAttribute(name));
    const words = document.querySelector("main").innerText.split(/\s+/).filter(Boolean).length;
    return { headings: document.querySelectorAll("h1").length, words, path: location.pathname, texts: [...shown, document.title] };
  });
  if (over > 0) found.push(`scrolls sideways by ${over} px`);
  if (words > MOST_WORDS && !WITHOUT_LIMIT.test(path)) found.push(`${words} words`);
  if (headings !== 1) found.push(`${headings} h1`);
  for (const text of texts) if (ids.has(text)) found.push(`message id “${text}”`);
  found.push(...(await violationsOf(page, RULES)));
  return { found, texts };
}

/** The violations of rules of axe, given by their names or tags, one text each. */
export async function violationsOf(page, rules) {
  return (await violations(page, { runOnly: rules })).map(({ id, nodes }) => `axe ${id} (${nodes.length}): ${nodes[0].html.slice(0, 200)}`);
}

/** Changes theme and width of a loaded page. */
export async function show(page, theme, width) {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 900 });
  await sideways(page);
}
