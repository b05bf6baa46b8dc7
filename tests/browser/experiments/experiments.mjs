// The page of a new experiment: the common question in a few clicks, a few keys to the button, a bar that covers nothing, and answers to bad input.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { assertClean, assertReadable, launch, openPage, postFrom, settled, shot, sideways, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { unfold } from "../lib/experiment.mjs";
import { MOST_WORDS, wordsOf } from "../lib/problems.mjs";

const KNOWN = JSON.parse(process.env.KNOWN);
const WINDOWS = [{ width: 1280, height: 800 }, { width: 768, height: 1024 }, { width: 390, height: 844 }, { width: 360, height: 780 }];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function open(path = "/new", options = {}) {
  const opened = await openPage(browser, { viewport: WINDOWS[0], ...options });
  await opened.page.goto(URL_BASE + path);
  return opened;
}

const runButton = (page) => page.locator("#run");
const bar = (page) => page.locator("[data-plan-bar]");

async function planned(page) {
  await runButton(page).and(page.locator(":enabled")).waitFor();
}

const chip = (page, factor, level) => page.getByRole("group", { name: factor, exact: true }).getByRole("button", { name: level, exact: true });

test("docker-proxy on and off with 1, 8 and 32 clients is started with at most six clicks", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await open("/");
  await page.locator("main h1").first().waitFor();
  let clicks = 0;
  const click = async (target) => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole("link", { name: "New experiment" }).first());
  await planned(page);
  await click(chip(page, "clients", "1"));
  await click(chip(page, "clients", "32"));
  await bar(page).getByText("6 cells").waitFor();
  await planned(page);
  await click(runButton(page));
  await page.waitForURL(/\/runs\/run_[0-9a-z]{16}$/);
  assert.ok(clicks <= 6, `${clicks} clicks`);
  assertClean(seen);
  await context.close();
});

test("a keyboard reaches the button with at most 25 presses of Tab", { timeout: TEST_MS }, async () => {
  const { context, page } = await open();
  await planned(page);
  let presses = 0;
  for (;;) {
    await page.keyboard.press("Tab");
    presses += 1;
    const at = await page.evaluate(() => ({ id: document.activeElement.id, text: document.activeElement.textContent }));
    if (at.id === "run") break;
    if (at.text === "To the button that starts the run") await page.keyboard.press("Enter");
    assert.ok(presses <= 25, `${presses} presses, at ${at.text}`);
  }
  console.log(`# ${presses} presses of Tab to the button`);
  await context.close();
});

/** What the bar or the header covers of the element that has the focus. */
function covered() {
  const active = document.activeElement;
  const planBar = document.querySelector("[data-plan-bar]");
  if (!active || active === document.body || planBar.contains(active) || active.closest("header")) return null;
  const box = active.getBoundingClientRect();
  const top = planBar.getBoundingClientRect().top;
  const height = box.height < top / 2 ? box.height : 44;
  if (box.width === 0) return null;
  return box.top + height > top + 1 ? `${active.outerHTML.slice(0, 100)}: ${Math.round(box.top)} to ${Math.round(box.bottom)}, the bar begins at ${Math.round(top)}` : null;
}

for (const viewport of WINDOWS)
  test(`the bar covers no field that has the focus, and nothing is wrong, at ${viewport.width} px`, { timeout: TEST_MS }, async () => {
    const { context, page, seen } = await open("/new?preset=pachot-2019-quick", { viewport });
    await planned(page);
    await settled(page);
    await assertReadable(page, `folded at ${viewport.width}`, { all: true });
    await shot(page, `new-${viewport.width}`);
    for (const title of ["More settings", "Rounds", "Metrics that get a verdict", "Thresholds and limits", "Limits on host noise", "Name and CPU profile", "Plan in detail", "Cells", "YAML, curl, Python"]) await unfold(page, title);
    await page.locator(".cm-content").waitFor();
    await settled(page);
    assert.equal(await sideways(page), 0);
    await shot(page, `new-unfolded-${viewport.width}`);
    await assertReadable(page, `unfolded at ${viewport.width}`, { all: true });
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator("main").focus();
    const found = [];
    for (let press = 0; press < 220; press += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.querySelector("[data-plan-bar]").contains(document.activeElement))) break;
      const fault = await page.evaluate(covered);
      if (fault) found.push(fault);
    }
    assert.deepEqual(found, []);
    assertClean(seen);
    await context.close();
  });

test("the first screen has few words, the answer to what it costs, and moves by little", { timeout: TEST_MS }, async () => {
  const { context, page } = await open("/");
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((each) => !each.hadRecentInput && (window.shift += each.value))).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${URL_BASE}/new`);
  await planned(page);
  await settled(page);
  const words = await wordsOf(page);
  assert.ok(words <= MOST_WORDS, `${words} words`);
  const text = await bar(page).innerText();
  for (const part of [/2 cells/, /min/, /shows [\d.]+ % or more/]) assert.match(text, part);
  const shift = await page.evaluate(() => window.shift);
  console.log(`# ${words} words, layout shift ${shift.toFixed(3)}`);
  assert.ok(shift < 0.1, `layout shift ${shift}`);
  await context.close();
});

test("the result of every path of a host, and the plan of it, have few words", { timeout: TEST_MS }, async () => {
  const { context, page } = await open(`/runs/${KNOWN.everyPath}`);
  await page.getByRole("img", { name: /and CPU of \d+ cells/ }).first().waitFor();
  await settled(page);
  const result = await wordsOf(page);
  await page.goto(`${URL_BASE}/new?preset=host-paths`);
  await planned(page);
  await settled(page);
  const plan = await wordsOf(page);
  console.log(`# ${result} words of the result, ${plan} of the plan`);
  assert.ok(Math.max(result, plan) <= MOST_WORDS, `${result} and ${plan} words`);
  await context.close();
});

test("a plan that cannot answer says so in the bar, and one button makes it able to", { timeout: TEST_MS }, async () => {
  const { context, page } = await open(`/new?experiment=${KNOWN.experiments.small}`, { viewport: WINDOWS[2] });
  await planned(page);
  const use = bar(page).getByRole("button", { name: /^Use \d+$/ });
  await use.waitFor();
  await shot(page, "new-unable");
  assert.match(await bar(page).innerText(), /2 rounds decide none of 1/);
  await use.click();
  await use.waitFor({ state: "detached" });
  await planned(page);
  assert.doesNotMatch(await bar(page).innerText(), /⚠/);
  await context.close();
});

test("the copied command starts the plan of the page", { timeout: TEST_MS }, async () => {
  const { context, page } = await open("/new", { permissions: ["clipboard-read", "clipboard-write"] });
  await planned(page);
  const { token } = await postFrom(page, "/tokens", { name: "script", scopes: ["run:read", "run:write"], expires_in_days: 1 });
  await page.getByRole("textbox", { name: "Title" }).fill(`it's "quoted" $HOME 代价`);
  await planned(page);
  await unfold(page, "YAML, curl, Python");
  for (const [kind, program, input] of [["curl", "sh", ["-s"]], ["Python", "python3", ["-"]]]) {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await page.getByRole("button", { name: `Copy as ${kind}` }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const run = JSON.parse(execFileSync(program, input, { input: text, encoding: "utf8", env: { ...process.env, PLIMSOLL_TOKEN: token } }));
    assert.equal(run.title, `it's "quoted" $HOME 代价`);
    assert.equal(run.host, "bench-1");
  }
  await context.close();
});

test("a path that others are compared with is not removed without a question", { timeout: TEST_MS }, async () => {
  const { context, page } = await open(`/new?experiment=${KNOWN.experiments.small}`);
  await planned(page);
  const search = page.getByRole("combobox", { name: "Add a path" });
  await search.fill("nginx stream");
  await page.getByRole("option").first().waitFor();
  await shot(page, "new-search");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove Same container", exact: true }).click();
  const question = page.getByRole("alert");
  await question.waitFor();
  await shot(page, "new-asks");
  assert.match(await question.innerText(), /Everything was compared with path Same container/);
  assert.ok(await runButton(page).isDisabled());
  await page.getByRole("radio", { name: /^each level of path/ }).click();
  await question.waitFor({ state: "detached" });
  await planned(page);
  await context.close();
});

test("titles of 300 characters and from right to left, every path, 500 cells", { timeout: TEST_MS }, async () => {
  const { context, page } = await open(`/new?experiment=${KNOWN.experiments.many}`, { viewport: WINDOWS[2] });
  await planned(page);
  assert.match(await bar(page).innerText(), /^\d{3} cells \(\d+ more cannot run here\)/);
  assert.equal(await page.getByRole("textbox", { name: "Title" }).inputValue(), KNOWN.title);
  await shot(page, "new-500-cells");
  assert.equal(await sideways(page), 0);
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("n".repeat(300));
  await page.getByText(/200 characters/).first().waitFor();
  await bar(page).getByRole("button", { name: /^Show the marked value/ }).click();
  assert.ok(await title.evaluate((each) => each === document.activeElement));
  assert.ok(await runButton(page).isDisabled());
  await title.fill("Every path");
  await planned(page);
  const search = page.getByRole("combobox", { name: "Add a path" });
  const rows = page.getByRole("list", { name: "Chosen paths" }).locator(":scope > li");
  while ((await rows.count()) < 24) {
    await search.fill("a");
    await search.press("Enter");
  }
  await search.press("Escape");
  await settled(page);
  assert.equal(await sideways(page), 0);
  await shot(page, "new-24-paths");
  await context.close();
});

test("a plan that is slow or fails leaves the last one in the bar, marked", { timeout: TEST_MS }, async () => {
  const { context, page } = await open();
  await planned(page);
  const before = await bar(page).locator("b").allInnerTexts();
  let mode = "slow";
  await page.route("**/api/v1/plans*", async (route) => {
    if (mode === "slow") await new Promise((done) => setTimeout(done, 1500));
    if (mode === "fails") return route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ title: "Broken", status: 500, code: "internal", detail: "The planner is away." }) });
    return route.continue();
  });
  await chip(page, "clients", "1").click();
  await bar(page).getByText("earlier plan, updating …").waitFor();
  assert.deepEqual(await bar(page).locator("b").allInnerTexts(), before);
  await planned(page);
  mode = "fails";
  await chip(page, "clients", "32").click();
  await bar(page).getByText("earlier plan: there is no newer one").waitFor();
  assert.match(await bar(page).innerText(), /4 cells[\s\S]*The planner is away/);
  assert.ok(await runButton(page).isDisabled());
  await shot(page, "new-failed");
  await context.close();
});
