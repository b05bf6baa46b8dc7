// The whole story in Chromium: from the preset to the shared result, a run that is cancelled, and every page once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, assertClean, assertPrintable, fetchWithToken, fromAccountMenu, launch, openPage, openTab, postFrom, settled, shot, stepsOf, TEST_MS, URL_BASE } from "./lib/chromium.mjs";
import { finishedAtLeast, RUN_MS, smallExperiment, start, unfold } from "./lib/experiment.mjs";
import { assertEmbedded, assertNotLogged, openAsStranger, preview, reachable } from "./lib/shares.mjs";
import { chooseCombinations, COMBINATIONS, ROUTES, VARIANTS, viewsSeed } from "./lib/views.mjs";
import { openWalk } from "./lib/walk.mjs";

const CELL = "Published port on 127.0.0.1, userland-proxy on";

/** Home before the first run is no route of its own. */
const FIRST_HOME = "home without runs";
const VIEWS = [...ROUTES, ...VARIANTS];
const seed = viewsSeed();
const combinations = chooseCombinations([FIRST_HOME, ...VIEWS], seed);
/** The runs of the tests here: the one that finished and the one that was cancelled. */
const runs = {};

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A host on which lab and host daemon were never compared answers 404 there; the browser logs that itself. */
const withoutMissing = (errors) => errors.filter((text) => !/status of 404/.test(text));

test("the combinations follow from the seed, and each is as frequent as the others", () => {
  assert.deepEqual(chooseCombinations(VIEWS, "a commit"), chooseCombinations(VIEWS, "a commit"));
  assert.notDeepEqual(chooseCombinations(VIEWS, "a commit"), chooseCombinations(VIEWS, "another commit"));
  const counts = COMBINATIONS.map((each) => VIEWS.filter((view) => combinations.get(view) === each).length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, `${counts}`);
});

test("from the preset to the shared result", { timeout: TEST_MS }, async (t) => {
  const { context, page, seen } = await openPage(browser);
  let runId;
  let headline;
  const step = stepsOf(t);

  await step("home of a new installation has one first step", async () => {
    const walk = openWalk(browser, {});
    const { wrong } = await walk.visit("/", [combinations.get(FIRST_HOME)]);
    await walk.close();
    assert.deepEqual(wrong, []);
    await page.goto(`${URL_BASE}/`);
    await page.getByRole("link", { name: /^See the plan of the first run/ }).waitFor();
    assert.equal(await page.locator('[data-kind="primary"]:visible').count(), 1);
  });

  await step("the plan follows the form, and a refused value is shown at its field", async () => {
    await smallExperiment(page, 2, { seconds: 2 });
    assert.match(await page.locator("body").innerText(), /4 cells\s*\+ 1 A\/A duplicate\s*×\s*2 rounds\s*=\s*10 trials/);
    await unfold(page, "More settings");
    const load = page.getByRole("combobox", { name: "Tool and service" });
    await load.selectOption("wrk pong");
    await page.getByRole("group", { name: "query protocol" }).waitFor({ state: "detached" });
    await load.selectOption("pgbench postgres select_only");
    await page.getByText("10 trials", { exact: true }).waitFor();
    const clients = page.getByRole("group", { name: "clients", exact: true });
    await clients.getByRole("textbox").fill("0");
    await clients.getByRole("textbox").press("Enter");
    // At the field, and in the editor's list once it is open.
    const refusal = page.getByText(/clients must be a whole number/).first();
    await refusal.waitFor();
    assert.ok(await page.getByRole("button", { name: /^Run on / }).isDisabled());
    await clients.getByRole("button", { name: "0", exact: true }).click();
    await refusal.waitFor({ state: "detached" });
    // The refused plan is the one expected error: the browser logs the 422 itself.
    assert.deepEqual(seen.errors.splice(0).filter((text) => !/status of 422/.test(text)), []);
    // The editor is loaded when it is opened: a text field until then.
    await unfold(page, "YAML, curl, Python");
    await page.locator(".cm-content").waitFor();
    const editor = page.getByRole("textbox", { name: "Definition as YAML" });
    const yaml = await editor.innerText();
    assert.match(yaml, /rounds: 2\n/);
    assert.match(yaml, /path: \[same_container, published_loopback\]/);
    assert.match(yaml, /tool: \[pgbench\]\n  service: \[postgres\]/);
    await shot(page, "plan-light");
    // A letter that is typed here is no shortcut, and a change of the form keeps the comment.
    await editor.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# n is a letter here\n");
    // The form changes the text that the page has, and a busy browser hands it what was typed a moment later: then the draft has it, too.
    await page.waitForFunction(() => Object.values(localStorage).some((kept) => kept.includes("# n is a letter here")));
    const rounds = page.getByRole("textbox", { name: "Rounds", exact: true });
    await rounds.fill("3");
    await page.getByText("15 trials", { exact: true }).waitFor();
    assert.match(await editor.innerText(), /# n is a letter here\n[\s\S]*rounds: 3\n/);
    await rounds.fill("2");
    await page.getByText("10 trials", { exact: true }).waitFor();
  });

  await step("trials arrive without a reload", async () => {
    runId = await start(page);
    await page.evaluate(() => {
      window.sameDocument = true;
    });
    await page.getByRole("progressbar", { name: "Trials done" }).waitFor();
    await page.getByRole("img", { name: /^Live transactions per second, now [\d,]+/ }).waitFor({ timeout: RUN_MS });
    await finishedAtLeast(page, 1);
    assert.match(await page.title(), /^\d+\/10 /);
    await shot(page, "running-light");
    await finishedAtLeast(page, 3);
    await page.getByRole("button", { name: "Share", exact: true }).waitFor({ timeout: RUN_MS });
    assert.equal(await page.evaluate(() => window.sameDocument), true, "the page was reloaded");
    const run = await api(`/runs/${runId}`);
    assert.equal(run.state, "done");
    assert.equal(run.progress.done, 10);
    runs.finished = run;
  });

  await step("the result shows verdict, charts and every cell", async () => {
    const verdict = page.getByRole("region", { name: "Verdict", exact: true });
    await verdict.waitFor();
    const model = await api(`/runs/${runId}/result`);
    // The answer's sentence, or the headline without the warning of the A/A check, which ends it.
    headline = model.answer?.sentence ?? model.headline;
    if (model.trust && headline.endsWith(model.trust)) headline = headline.slice(0, -model.trust.length).trim();
    await verdict.getByText(headline).waitFor();
    const joint = page.getByRole("img", { name: /^transactions per second and CPU of 4 cells/ });
    await joint.waitFor();
    assert.equal(await joint.locator(".recharts-scatter").first().count(), 1);
    assert.equal(await joint.locator(".recharts-wrapper").count(), 2, "throughput and CPU by role");
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => scrollTo(0, 0));
    const { y, height } = await joint.boundingBox();
    assert.ok(y + height <= 800, `throughput and CPU end at ${y + height} px of the first screen`);
    await page.setViewportSize(size);
    await page.getByRole("img", { name: /^CPU by role in/ }).waitFor();
    await page.getByRole("img", { name: /^Median CPU per transaction/ }).waitFor();
    await shot(page, "result-light");
    await openTab(page, "Statistics");
    if (model.trust) await page.getByText(model.trust).waitFor();
    await openTab(page, "Trials");
    assert.match(page.url(), /[?&]tab=trials/);
    const table = page.getByRole("table", { name: /^Every cell/ });
    assert.equal(await table.getByRole("row").count(), 6);
    assert.equal(await table.getByText("2 / 2 proven").count(), 5);
    await assertPrintable(page, "result");
  });

  await step("a chart gives the same figures as a table", async () => {
    const view = page.getByRole("group", { name: "Throughput and CPU: chart or table" });
    await view.getByRole("button", { name: "Table" }).click();
    const twin = page.getByRole("table", { name: /^transactions per second in 1\/s and CPU by role/ });
    assert.equal(await twin.getByRole("row").count(), 5);
    await view.getByRole("button", { name: "Chart" }).click();
  });

  await step("from a cell down to evidence and raw output, and up again", async () => {
    await page.getByRole("table", { name: /^Every cell/ }).getByRole("link", { name: CELL, exact: true }).click();
    await page.waitForURL(/\/cells\/c\d+$/);
    const [cell] = new URL(page.url()).pathname.match(/c\d+$/);
    await page.goto(`${URL_BASE}/runs/${runId}/cells/${cell}/rounds/1`);
    await page.waitForURL(/\/(trials\/trl_[0-9a-z]{16}|rounds\/1)$/);
    await page.goBack();
    await page.getByRole("button", { name: "Repeat without Plimsoll" }).click();
    assert.match(await page.getByLabel("Script", { exact: true }).innerText(), /docker run[\s\S]*pgbench/);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("link", { name: "Round 1", exact: true }).click();
    await page.waitForURL(/\/trials\/trl_[0-9a-z]{16}$/);
    const evidence = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Observed" }) });
    await evidence.waitFor();
    assert.ok((await evidence.getByText("agrees").count()) > 0, "no signal agrees");
    assert.equal(await evidence.getByText("disagrees").count(), 0);
    const bar = page.getByRole("img", { name: /^CPU of the host by role: client [\d.]+ %/ });
    assert.match(await bar.getAttribute("aria-label"), /unattributed −?[\d.]+ %, steal [\d.]+ %, idle [\d.]+ %/);
    await page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Context switches" }) }).waitFor();
    assert.match(await page.locator("pre").first().innerText(), /pgbench/);
    await page.getByRole("button", { name: "As plain text" }).click();
    await page.getByLabel("Raw output", { exact: true }).waitFor();
    assert.match(await page.getByLabel("Raw output", { exact: true }).innerText(), /pgbench/);
    const raw = await fetchWithToken(new URL(await page.getByRole("link", { name: "Download raw output" }).getAttribute("href"), URL_BASE));
    assert.equal(raw.status, 200);
    assert.match(raw.headers.get("content-type"), /^text\/plain/);
    await shot(page, "trial-light");
    // A control that has the focus keeps its keys.
    await page.getByRole("heading", { level: 1 }).click();
    await page.locator("body").press("u");
    await page.waitForURL(/\/cells\/c\d+$/);
    await page.locator("body").press("u");
    await page.waitForURL(new RegExp(`/runs/${runId}$`));
  });

  await step("the host lists the paths that it supports, and why not the others", async () => {
    await openTab(page, "Environment");
    await page.getByRole("link", { name: "Capabilities of this host" }).click();
    await page.waitForURL(/\/hosts\//);
    await unfold(page, "Paths that this host supports");
    await page.getByRole("list", { name: "Paths that this host supports" }).getByText("published_loopback", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Lab daemon against host daemon" }).waitFor();
    await settled(page);
    await shot(page, "host-light");
    seen.errors = withoutMissing(seen.errors);
    await page.goBack();
    await page.waitForURL(new RegExp(`/runs/${runId}[?]tab=environment$`));
  });

  const links = [];
  /** Creates a link in the dialog, which stays open. */
  const createLink = async () => {
    await page.getByRole("button", { name: "Create link" }).click();
    const field = page.getByRole("textbox", { name: "Share link" });
    await field.waitFor();
    return reachable(await field.inputValue());
  };
  const isShared = async ({ page: shown }) => {
    await shown.getByText(headline).waitFor();
    assert.equal(await shown.getByRole("link").filter({ hasNotText: "To the content" }).count(), 0, "a shared page links on");
    for (const name of ["Share", "Cancel run", "More actions"]) assert.equal(await shown.getByRole("button", { name }).count(), 0);
    // The fragment of a private link is its token, and stays while a tab is opened.
    const { hash } = new URL(shown.url());
    await openTab(shown, "Trials");
    assert.deepEqual([new URL(shown.url()).hash, new URL(shown.url()).search], [hash, "?tab=trials"]);
    assert.equal(await shown.getByRole("table", { name: /^Every cell/ }).getByRole("row").count(), 6);
    const { host } = await api(`/runs/${runId}`);
    assert.ok(!(await shown.locator("main").innerText()).includes(host), "the host's name is shown");
  };

  await step("a private link opens the result read-only, without the host and the token in no address", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const link = await createLink();
    const token = new URL(link).hash.slice(1);
    assert.ok(token.length >= 43, "a short token");
    await openAsStranger(browser, link, token, async (stranger) => {
      await isShared(stranger);
      await shot(stranger.page, "shared-light");
    });
    const { status, tags } = await preview(link);
    assert.deepEqual([status, tags["og:title"]], [200, undefined]);
    links.push(token);
    await page.getByRole("button", { name: "Close", exact: true }).click();
  });

  await step("a link to post unfurls, may be embedded, and is gone when it is revoked", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("radio", { name: "To post" }).check();
    await page.getByRole("textbox", { name: /^Title/ }).fill("What docker-proxy costs");
    const link = await createLink();
    const token = new URL(link).pathname.slice("/x/".length);
    links.push(token);
    await shot(page, "share-dialog-light");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await openAsStranger(browser, link, token, isShared);
    const { status, tags, text } = await preview(link);
    assert.deepEqual([status, tags["og:title"], tags["twitter:card"]], [200, "What docker-proxy costs", "summary_large_image"]);
    assert.ok(!text.includes(runId));
    assert.equal((await fetch(reachable(tags["og:image"]))).headers.get("content-type"), "image/png");
    await assertEmbedded(browser, link);
    await page.goto(`${URL_BASE}/links`);
    const row = page.getByRole("row", { name: /^What docker-proxy costs/ });
    assert.match(await row.innerText(), /To post, frozen[\s\S]*opened 1 time/);
    await shot(page, "links-light");
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
    await row.getByText("revoked: it no longer works").waitFor();
    const missing = await preview(`${URL_BASE}/x/${"a".repeat(22)}`);
    assert.deepEqual(await preview(link), missing);
    assert.equal(missing.status, 404);
    assertNotLogged(links);
    await page.goto(`${URL_BASE}/runs/${runId}`);
  });

  await step("the theme is chosen in the account's menu", async () => {
    await fromAccountMenu(page, "menuitemradio", "Dark");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    await shot(page, "result-dark");
  });

  assertClean(seen);
  await context.close();
});

test("a run is cancelled from the page", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser);
  await smallExperiment(page, 20);
  const runId = await start(page);
  await finishedAtLeast(page, 1);
  await page.getByRole("button", { name: "Cancel run" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this run?" });
  await dialog.getByRole("button", { name: "Keep running" }).click();
  assert.equal((await api(`/runs/${runId}`)).cancel_requested, false);
  await page.getByRole("button", { name: "Cancel run" }).click();
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await page.getByText("This run was cancelled.").waitFor({ timeout: RUN_MS });
  const run = await api(`/runs/${runId}`);
  assert.equal(run.state, "cancelled");
  assert.ok(run.progress.cancelled > 0);
  assert.equal(run.progress.running, 0);
  runs.cancelled = run;
  await openTab(page, "Trials");
  await page.getByRole("table", { name: /^Every cell/ }).waitFor();
  await shot(page, "cancelled-light");
  await page.getByRole("link", { name: "Plimsoll, home" }).click();
  await page.getByRole("listitem").filter({ hasText: "cancelled" }).first().waitFor();
  assertClean(seen);
  await context.close();
});

/** Records that pages show, of the finished run: share links, a schedule, and a group whose run waits, because its host is drained. */
async function knownRecords(page) {
  const { id, experiment_id: experimentId, host } = runs.finished;
  const group = await postFrom(page, `/experiments/${experimentId}/run-groups`, { hosts: [host] });
  const schedule = await postFrom(page, `/experiments/${experimentId}/schedules`, { cron: "0 2 * * *", time_zone: "UTC", hosts: [host] });
  await postFrom(page, `/hosts/${host}:drain`); // a drained host accepts no new run; at most one trial has begun
  const [trial] = (await api(`/runs/${id}/trials`)).data;
  const share = async (kind) => (await postFrom(page, `/runs/${id}/shares`, { kind })).token;
  return {
    runId: id, experimentId, host, cellId: trial.cell_id, round: String(trial.round), trialId: trial.id,
    otherRunId: runs.cancelled.id, activeRunId: group.members[0].run_id, groupId: group.id, activeGroupId: group.id,
    scheduleId: schedule.id, token: await share("private"), posted: await share("unfurl"),
  };
}

test("every page, each in one combination of language, theme and width", { timeout: TEST_MS }, async (t) => {
  t.diagnostic(`the seed of the combinations is ${seed}; PLIMSOLL_VIEWS_SEED=${seed} chooses them again`);
  const { context, page } = await openPage(browser);
  await page.goto(`${URL_BASE}/help`);
  const known = await knownRecords(page);
  const walk = openWalk(browser, known);
  const checked = [];
  const wrong = [];
  for (const view of VIEWS) {
    const visited = await walk.visit(view, [combinations.get(view)]);
    for (const text of visited.wrong) t.diagnostic(text);
    checked.push(...visited.checked);
    wrong.push(...visited.wrong);
  }
  await walk.close();
  await postFrom(page, `/run-groups/${known.groupId}:cancel`);
  await postFrom(page, `/hosts/${known.host}:resume`);
  await context.close();
  assert.deepEqual(wrong, []);
  assert.equal(new Set(checked).size, VIEWS.length);
});
