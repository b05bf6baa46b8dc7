// Bad input, records that are gone, hostile texts and a server that goes away: each has an answer, and nothing that was typed is lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage, openTab, settled, shot, sideways, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { unfold } from "../lib/experiment.mjs";
import { openLine } from "../lib/line.mjs";

const { COOKIE, CSRF } = process.env;
const KNOWN = JSON.parse(process.env.KNOWN);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A page of the administrator; what it shows of errors is not counted: they are provoked. */
async function open(path, { origin = URL_BASE, ...options } = {}) {
  const opened = await openPage(browser, { origin, ...options });
  await opened.page.goto(origin + path);
  return opened;
}

/** A request as another tab of the same person sends it. */
async function send(method, path, body) {
  const headers = { Cookie: COOKIE, "X-CSRF-Token": CSRF, Origin: URL_BASE, "Content-Type": "application/json" };
  const answer = await fetch(`${URL_BASE}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** The editor once it is loaded: the keys that add text at its end, and the check of the text at its end. */
async function editorOf(page) {
  await unfold(page, "YAML, curl, Python");
  await page.locator(".cm-content").waitFor();
  const editor = page.getByRole("textbox", { name: "Definition as YAML" });
  const toEnd = async () => {
    await editor.click();
    await page.keyboard.press("Control+End");
  };
  const append = async (text) => {
    await toEnd();
    await page.keyboard.insertText(text);
  };
  /** The editor draws only the lines that are in view, and draws them a moment later. */
  const assertEnd = async (pattern) => {
    await toEnd();
    await editor.filter({ hasText: pattern }).waitFor().catch(() => undefined);
    assert.match(await editor.innerText(), pattern);
  };
  return { append, assertEnd };
}

const runButton = (page) => page.getByRole("button", { name: /^Run/ });

async function planned(page) {
  await runButton(page).and(page.locator(":enabled")).waitFor();
}

for (const [what, line, said] of [
  ["broken YAML", "\nfactors: [", /YAML/],
  ["an unresolved alias", "\nsummary: *nowhere", /alias/i],
  ["a tag of another program", "\nsummary: !!js/function 'x'", /no tags/],
])
  test(`${what}: said at its line, nothing starts, and the text survives a reload`, { timeout: TEST_MS }, async () => {
    const { page, context, seen } = await open("/new?preset=pachot-2019-quick");
    const { append, assertEnd } = await editorOf(page);
    await planned(page);
    await append(line);
    await runButton(page).and(page.locator(":disabled")).waitFor();
    const problem = page.getByRole("button", { name: /^Line \d+/i }).first();
    await problem.waitFor();
    assert.match(await page.locator("main").innerText(), said);
    await shot(page, `bad-${what.replaceAll(" ", "-")}`);
    // What cannot be parsed is open.
    await page.reload();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: /^Line \d+/i }).first().waitFor();
    await assertEnd(new RegExp(line.trim().replace(/[^\w ]/g, "\\$&")));
    assert.deepEqual(seen.errors, []);
    await context.close();
  });

test("a name of 300 characters is refused at its field, and stays there", { timeout: TEST_MS }, async () => {
  const { page, context } = await open("/new?preset=pachot-2019-quick", { viewport: { width: 360, height: 780 } });
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  await title.fill("n".repeat(300));
  await page.getByText(/200 characters/).first().waitFor();
  assert.equal(await title.getAttribute("aria-invalid"), "true");
  assert.ok(await runButton(page).isDisabled());
  assert.equal((await title.inputValue()).length, 300);
  await title.fill("a\u202Eb");
  await page.getByText(/bidirectional/).first().waitFor();
  assert.equal(await title.inputValue(), "a\u202Eb");
  await assertFits(page, "new experiment");
  await context.close();
});

async function assertFits(page, what) {
  const over = await sideways(page);
  const wide = over && (await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const last = [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > clientWidth + 1).slice(0, 3);
    return `${scrollWidth} > ${clientWidth}: ${last.map((each) => each.outerHTML.slice(0, 160)).join(" | ")}`;
  }));
  assert.equal(wide, 0, `${what} scrolls sideways`);
  assert.equal(await page.evaluate(() => window.executed), undefined, `${what}: markup was executed`);
}

for (const [kind, { run, experiment, title }] of Object.entries(KNOWN.named))
  test(`texts of a person, ${kind}: shown as written, isolated, within 360 px`, { timeout: TEST_MS }, async (t) => {
    const { page, context, seen } = await open("/", { viewport: { width: 360, height: 780 } });
    const failures = [];
    for (const [name, path] of Object.entries({
      home: "/", library: "/library", run: `/runs/${run}`, again: `/new?experiment=${experiment}`, history: `/experiments/${experiment}/history`,
      histories: "/histories", schedules: `/schedules?experiment=${experiment}`, pair: `/compare?a=${run}&b=${run}`, matrix: `/compare?run=${run}&run=${KNOWN.named.markup.run}`, links: "/links",
    })) {
      await page.goto(URL_BASE + path);
      await page.locator("main h1").first().waitFor();
      await settled(page);
      if (name !== "schedules" && name !== "pair") await page.getByText(title.slice(0, 60)).or(page.getByRole("textbox", { name: "Title" })).first().waitFor().catch(() => failures.push(`${name} does not show the title`));
      await assertFits(page, name).catch((error) => failures.push(error.message));
      failures.push(...(await joined(page, title)).map((found) => `${name}: the title is not isolated in ${found}`));
      await shot(page, `bad-${kind}-${name}`);
    }
    for (const each of failures) t.diagnostic(each);
    assert.deepEqual(failures, []);
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(seen.foreign, []);
    await context.close();
  });

/** Lines of text in which a title is beside other text in the same bidirectional paragraph. */
function joined(page, title) {
  return page.evaluate((text) => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const begin = text.slice(0, 40);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.data.includes(begin) || node.parentElement.closest("script, style, pre, summary, option, [class*='cm-'], .visually-hidden")) continue;
      let around = node;
      while (around.parentElement && getComputedStyle(around.parentElement).display === "inline" && !/isolate|plaintext/.test(getComputedStyle(around.parentElement).unicodeBidi)) around = around.parentElement;
      const box = around.parentElement;
      if (!box || !/[a-z]/i.test(box.textContent.replaceAll(text, ""))) continue;
      if (!/[\u0590-\u07ff]/.test(text) || node.data.includes(`\u2068${text}\u2069`)) continue;
      const isWhole = around === node ? node.data.trim() === text : around.textContent.trim() === text;
      const beside = [...box.childNodes].filter((each) => each !== around && each.textContent.trim() !== "" && (each.nodeType === 3 || getComputedStyle(each).display === "inline"));
      const isFlex = /flex|grid/.test(getComputedStyle(box).display);
      if ((!isWhole || beside.length > 0) && !isFlex) found.push(box.outerHTML.slice(0, 200));
    }
    return found;
  }, title);
}

test("a private, an expired, a revoked and an unknown link", { timeout: TEST_MS }, async () => {
  const { page, context } = await openPage(browser, { guest: true, viewport: { width: 360, height: 780 } });
  const { title } = KNOWN.named.rightToLeft;
  await page.goto(`${URL_BASE}/shared#${KNOWN.links.open}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await settled(page);
  await assertFits(page, "a shared result");
  for (const [address, said] of [
    [`/shared#${KNOWN.links.revoked}`, /revoked|no longer/i],
    [`/x/${KNOWN.links.expired}`, /expired|no longer|no result/i],
    [`/shared#${"A".repeat(43)}`, /no shared result/i],
  ]) {
    await page.goto("about:blank");
    await page.goto(URL_BASE + address);
    await page.locator("main").getByText(said).first().waitFor();
    assert.equal(await page.locator("h1").count(), 1);
    await assertFits(page, address);
    await shot(page, `bad-link${address.slice(0, 3).replaceAll("/", "-")}`);
  }
  await context.close();
});

test("a partly failed run says what failed and why, and shows the rest", { timeout: TEST_MS }, async () => {
  const { page, context } = await open(`/runs/${KNOWN.partly}`);
  await settled(page);
  const main = page.locator("main");
  await main.getByText(/4 (of \d+ )?trials? (have )?failed|4 failed/i).first().waitFor();
  await openTab(page, "Trials");
  await page.getByRole("table", { name: /^Every cell/ }).waitFor();
  assert.match(await main.innerText(), /tool failed|exit code 1|tool_failed/i);
  await page.setViewportSize({ width: 360, height: 780 });
  await assertFits(page, "a partly failed run");
  await shot(page, "bad-partly-failed");
  await context.close();
});

test("an experiment that another tab deletes: what was typed about it can still be read and started", { timeout: TEST_MS }, async () => {
  const { experiment, run } = KNOWN.named.unbroken;
  const editing = await open(`/new?experiment=${experiment}`);
  const { append, assertEnd } = await editorOf(editing.page);
  await planned(editing.page);
  await append("\n# typed before the experiment was deleted\n");
  await send("DELETE", `/runs/${run}`);
  await send("DELETE", `/experiments/${experiment}`);

  await editing.page.reload();
  await editing.page.getByText(/may have been deleted/).waitFor();
  await unfold(editing.page, "YAML, curl, Python");
  await editing.page.locator(".cm-content").waitFor();
  await planned(editing.page);
  await assertEnd(/# typed before the experiment was deleted/);
  await shot(editing.page, "bad-deleted-editor");

  await editing.context.close();
});

test("a server that goes away and returns: text in the editor, a note and its tags are kept", { timeout: TEST_MS }, async (t) => {
  const line = await openLine(URL_BASE);
  t.after(line.cut);
  const { page, context } = await open("/new?preset=pachot-2019-quick", { origin: line.url });
  const { append, assertEnd } = await editorOf(page);
  await planned(page);
  await line.cut();
  await append("\n# typed without a server\n");
  await unfold(page, "Rounds");
  await page.getByRole("textbox", { name: "Rounds", exact: true }).fill("3");
  await page.getByText("Connection lost.").waitFor();
  await runButton(page).and(page.locator(":disabled")).waitFor();
  await shot(page, "bad-lost-editor");
  await line.mend();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  await planned(page);
  await assertEnd(/rounds: 3[\s\S]*# typed without a server/);

  await page.goto(`${line.url}/runs/${KNOWN.partly}`);
  await settled(page);
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("Kept while the server was away.");
  await page.getByRole("textbox", { name: "Tags" }).fill("kept not_a/Tag");
  await line.cut();
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await page.getByText("Connection lost.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "Kept while the server was away.");
  await shot(page, "bad-lost-note");
  await line.mend();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "Kept while the server was away.");
  assert.equal(await page.getByRole("textbox", { name: "Tags" }).inputValue(), "kept not_a/Tag");
  await context.close();
});

test("a server that goes away while a run streams: said, and the page goes on", { timeout: TEST_MS }, async (t) => {
  const line = await openLine(URL_BASE);
  t.after(line.cut);
  const { page, context } = await open(`/runs/${KNOWN.active}`, { origin: line.url, viewport: { width: 360, height: 780 } });
  await page.getByRole("heading", { level: 1, name: "Active" }).waitFor();
  await settled(page);
  await line.cut();
  await page.getByText("Connection lost.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Active" }).waitFor();
  await assertFits(page, "a run without a server");
  await line.mend();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  await send("POST", `/runs/${KNOWN.active}:cancel`);
  await page.getByText("This run was cancelled.").waitFor();
  await context.close();
});
