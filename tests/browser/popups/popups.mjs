// Every menu, list of choices, dialog and chart's tip of the pages: as wide as its text, inside the window, with nothing over it; the focus goes in, and back on Escape.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { show } from "../lib/problems.mjs";
import { addressOf, isForGuests, ROUTES, THEMES, VARIANTS } from "../lib/views.mjs";

const KNOWN = JSON.parse(process.env.KNOWN);
const WIDTHS = [1280, 768, 360];
const ALL = WIDTHS.flatMap((width) => THEMES.map((theme) => ({ width, theme })));
/** The routes of a short run, each at one width and in one theme. */
const SHORT = { "/": ALL[5], "/library": ALL[2], "/runs/:runId": ALL[0], "/hosts/:host": ALL[4], "/new": ALL[3] };
const { EVERY, ONLY_ROUTES } = process.env;
const routes = (EVERY ? [...ROUTES, ...VARIANTS] : Object.keys(SHORT)).filter((each) => !ONLY_ROUTES || ONLY_ROUTES.split(",").includes(each));

/** What opens a popup, in the order of the document. A field opens its list as somebody types into it. */
const OPENERS = 'header [aria-haspopup], main [aria-haspopup], main [role="combobox"]:not([aria-readonly="true"])';
/** Buttons that open a dialog, and change nothing by that. */
const DIALOGS = /^(Delete|Share|Export|Repeat|Run again|Add rounds|Extend|Exclude|Download|Note|Rename|Save search|Drain|Invite|New (team|webhook|link)|Revoke)\b/;
// The list of a chart's marks, for the keyboard, is one pixel wide.
const POPUPS = '[role="menu"], [role="listbox"], [role="dialog"], dialog[open]';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Whether more popups are open than before, or no more than before. */
const open = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 2).length;
const MORE = new Function("[selector, below]", `return (${open})(selector) > below`);
const FEWER = new Function("[selector, below]", `return (${open})(selector) <= below`);

/** What is wrong with the topmost popup that is open; null while none is. */
function faultsOfPopup(selector) {
  const open = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 2);
  const inner = open.at(-1);
  if (!inner) return null;
  const popup = inner.closest('dialog[open], [class*="popup"]') ?? inner;
  const box = popup.getBoundingClientRect();
  const found = [];
  const px = (value) => Math.round(value);
  if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1) found.push(`outside of the window: ${px(box.left)} to ${px(box.right)}, ${px(box.top)} to ${px(box.bottom)}`);
  const before = popup.style.cssText; // The page's policy lets no script write the attribute.
  popup.style.cssText += "; width: max-content; min-width: 0; max-width: none";
  const text = popup.getBoundingClientRect().width;
  popup.style.cssText = before;
  const least = Math.min(text, 280, innerWidth - 40);
  if (box.width < least - 1) found.push(`${px(box.width)} px wide, its text ${px(text)}`);
  for (const [x, y] of [[5, 5], [box.width - 5, 5], [5, box.height - 5], [box.width - 5, box.height - 5]]) {
    const top = document.elementFromPoint(box.left + x, box.top + y);
    if (top && !popup.contains(top)) found.push(`covered at ${px(x)}, ${px(y)} by ${top.outerHTML.slice(0, 90)}`);
  }
  for (const each of popup.querySelectorAll("*")) {
    const own = each.getBoundingClientRect();
    const cut = own.width > 1 && each.scrollWidth > each.clientWidth + 1 && /hidden|clip/.test(getComputedStyle(each).overflowX) && !each.matches("input, select, pre");
    const beyond = own.width > 1 && (own.left < box.left - 1 || own.right > box.right + 1) && each.checkVisibility() && !each.closest("[class*=hidden], pre, table");
    if (cut || beyond) {
      found.push(`${cut ? "cut" : "beyond its edge"}: ${px(own.left - box.left)} to ${px(own.right - box.left)} of ${px(box.width)}: ${each.outerHTML.slice(0, 90)}`);
      break;
    }
  }
  const active = document.activeElement;
  if (!popup.contains(active) && active?.getAttribute("role") !== "combobox") found.push(`the focus is on ${active?.outerHTML.slice(0, 60)}`);
  return found;
}

/** Whether the focus is on what opened the popup, or for the arrow of a box on the box. */
const IS_BACK = (each) => document.activeElement === each || (document.activeElement.getAttribute("role") === "combobox" && each.closest("div").contains(document.activeElement));

/** Opens what belongs to one control, judges it and closes it by Escape. `below` popups are open already. Returns what is wrong. */
async function tryOpener(page, opener, name, below = 0) {
  await opener.scrollIntoViewIfNeeded();
  const isField = (await opener.getAttribute("role")) === "combobox" && (await opener.evaluate((each) => each.matches("input, textarea")));
  const held = await opener.elementHandle();
  if (isField) {
    await opener.focus();
    await page.keyboard.press("ArrowDown");
  } else await opener.click();
  const opened = await page.waitForFunction(MORE, [POPUPS, below], { timeout: isField ? 1500 : 8000 }).then(() => true, () => false);
  if (!opened) {
    await page.keyboard.press("Escape");
    return isField ? [] : [`${name}: nothing opened`];
  }
  // The focus moves, and lists get their first items, a moment after the popup is there.
  await page.waitForFunction(([judge, selector]) => new Function(`return (${judge})`)()(selector)?.length === 0, [faultsOfPopup.toString(), POPUPS], { timeout: 1500 }).catch(() => undefined);
  const found = (await page.evaluate(([judge, selector]) => new Function(`return (${judge})`)()(selector), [faultsOfPopup.toString(), POPUPS])) ?? ["closed by itself"];
  const inside = page.locator(`dialog[open] :is([aria-haspopup], [role="combobox"])`);
  for (let place = 0; !name.includes(" > ") && place < (await inside.count()); place++) if (await inside.nth(place).isVisible()) found.push(...(await tryOpener(page, inside.nth(place), `${name} > ${place}`, 1)));
  if (found.length > 0) await shot(page, `popup-${name.replace(/\W+/g, "-").slice(0, 80)}`);
  await page.keyboard.press("Escape");
  const closed = await page.waitForFunction(FEWER, [POPUPS, below], { timeout: 4000 }).then(() => true, () => false);
  if (!closed) found.push("Escape does not close it");
  const isBack = closed && (await page.waitForFunction(IS_BACK, held, { timeout: 3000 }).then(() => true, () => false));
  if (closed && !isBack) found.push(`after Escape the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 60))}`);
  return found.map((text) => `${name}: ${text}`);
}

/** The tip of the first mark of each chart lies inside the window. */
async function tryTips(page, name) {
  const found = [];
  for (const chart of (await page.locator("main .recharts-wrapper").all()).slice(0, 4)) {
    await chart.scrollIntoViewIfNeeded();
    const mark = chart.locator(".recharts-symbols, .recharts-dot, .recharts-bar-rectangle, .recharts-scatter-symbol").first();
    if ((await mark.count()) === 0) continue;
    await mark.hover({ force: true, timeout: 3000 }).catch(() => undefined);
    const over = await chart.locator(".recharts-tooltip-wrapper").evaluateAll((all) =>
      all.flatMap((each) => {
        const box = each.getBoundingClientRect();
        const isShown = getComputedStyle(each).visibility !== "hidden" && each.textContent !== "";
        return isShown && (box.left < -1 || box.right > innerWidth + 1 || box.width < 60) ? [`${Math.round(box.left)} to ${Math.round(box.right)}`] : [];
      }),
    );
    found.push(...over.map((text) => `${name}: the tip of a chart reaches from ${text}`));
  }
  return found;
}

/** What is wrong on a page at one width, and how many popups were opened. */
async function visit(page, route, { width, theme }) {
  const at = `${route} ${theme} ${width}`;
  await page.goto("about:blank");
  await page.goto(URL_BASE + addressOf(route, KNOWN));
  await show(page, theme, width);
  await page.locator("main h1").first().waitFor();
  await settled(page);
  const wrong = [];
  let opened = 0;
  const openers = page.locator(OPENERS);
  for (let place = 0; place < (await openers.count()); place++) {
    const opener = openers.nth(place);
    if (!(await opener.isVisible()) || (await opener.isDisabled())) continue;
    const label = await opener.evaluate((each) => each.getAttribute("aria-label") ?? each.textContent.trim().slice(0, 40));
    wrong.push(...(await tryOpener(page, opener, `${at}: ${label}`)));
    opened++;
  }
  for (const button of await page.locator("main button:not([aria-haspopup]), main a[data-kind]").filter({ hasText: DIALOGS }).all()) {
    if (!(await button.isVisible()) || (await button.isDisabled()) || (await button.evaluate((each) => each.matches("a, form button[type=submit], dialog *")))) continue;
    wrong.push(...(await tryOpener(page, button, `${at}: ${(await button.innerText()).slice(0, 40)}`)));
    opened++;
  }
  return { opened, wrong: [...wrong, ...(await tryTips(page, at))] };
}

test("menus, lists, dialogs and tips", { timeout: TEST_MS }, async (t) => {
  const wrong = [];
  let opened = 0;
  for (const guest of [false, true]) {
    const own = routes.filter((each) => isForGuests(each) === guest);
    if (own.length === 0) continue;
    const { context, page } = await openPage(browser, { guest });
    for (const route of own)
      for (const view of EVERY ? ALL : [SHORT[route]]) {
        const found = await visit(page, route, view).catch((error) => ({ opened: 0, wrong: [`${route}: ${error.message.split("\n").slice(0, 3).join(" ")}`] }));
        for (const text of found.wrong) t.diagnostic(text);
        opened += found.opened;
        wrong.push(...found.wrong);
      }
    await context.close();
  }
  t.diagnostic(`${opened} opened`);
  assert.ok(opened >= routes.length, `${opened} were opened`);
  assert.deepEqual(wrong, []);
});
