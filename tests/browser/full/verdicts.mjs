// Old logs become runs; pivot, exports and the comparison of two runs, without a Docker daemon.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertClean, assertImages, assertReadable, fetchWithToken, launch, openPage, openTab, settled, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const CAPTURED = readFileSync(new URL("../../fixtures/pgbench/15-live.stdout", import.meta.url), "utf8");
const ROUNDS = 10;
/** The rate with userland-proxy on and off, by path. */
const PATHS = { same_container: [40_000, 40_050], sibling_container: [39_900, 40_100], published_loopback: [17_000, 39_950] };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A captured log with another rate, a little different in each round; `step` gives each cell its own noise. */
function log(rate, round, step = 7) {
  const [clients, seconds] = [/^number of clients: (\d+)/m, /^duration: (\d+) s/m].map((line) => Number(line.exec(CAPTURED)[1]));
  const tps = rate * (1 + 0.004 * (((round * step) % 11) - 5));
  return [
    [/^tps = [\d.]+/m, `tps = ${tps.toFixed(2)}`],
    [/^(number of transactions actually processed: )\d+/m, `$1${Math.round(tps * seconds)}`],
    [/^(latency average = )[\d.]+/m, `$1${((1000 * clients) / tps).toFixed(3)}`],
  ].reduce((text, [printed, own]) => {
    assert.match(text, printed);
    return text.replace(printed, own);
  }, CAPTURED);
}

function imported(host, factor) {
  const clients = Number(/^number of clients: (\d+)/m.exec(CAPTURED)[1]);
  const experiment = {
    name: "old-logs", title: "Old logs of docker-proxy", seed: 1, rounds: ROUNDS,
    factors: { path: Object.keys(PATHS), userland_proxy: [true, false], clients },
    baseline: { path: "same_container", userland_proxy: true }, metrics: ["tps", "latency_avg_ms"],
    thresholds: ["ratio(tps, baseline) >= 0.9"],
  };
  const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1);
  const cells = Object.entries(PATHS).flatMap(([path, rates]) => rates.map((rate, off) => ({ levels: { path, userland_proxy: off === 0 }, rate })));
  const logs = cells.flatMap(({ levels, rate }, place) =>
    rounds.map((round) => ({ levels, round, stdout: log(levels.path === "published_loopback" && levels.userland_proxy ? rate * factor : rate, round, 2 + place) })),
  );
  return { host, experiment, environment: { kernel: host, cores: "2" }, logs };
}

async function post(body) {
  const answer = await fetchWithToken(`${URL_BASE}/api/v1/imports`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).id;
}

async function narrowAndDark(path, name) {
  const { context, page, seen } = await openPage(browser, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await page.goto(URL_BASE + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  await assertReadable(page, `${name}, dark and narrow`);
  await shot(page, `${name}-dark-narrow`);
  assertClean(seen);
  await context.close();
}

test("an imported run is marked as such, compared, pivoted and exported", { timeout: TEST_MS }, async () => {
  const run = await post(imported("old-box", 1));
  const { context, page, seen } = await openPage(browser);
  await page.goto(`${URL_BASE}/runs/${run}`);
  await page.getByText(/imported, without evidence/i).first().waitFor();
  await page.getByRole("list", { name: "Tied for best" }).getByText("Same container, userland-proxy on").waitFor();
  await assertReadable(page, "imported run, light and wide");
  await shot(page, "imported-light");
  await openTab(page, "Statistics");
  await page.getByText(/is 0\.42\d* .*: below 0\.9/).first().waitFor();
  await openTab(page, "Trials");
  await page.getByRole("group", { name: "Pivot: table or chart" }).getByRole("button", { name: "Chart" }).click();
  await page.waitForURL(/pivot/i);
  assert.ok((await assertImages(page, "light")).includes("Pivot as SVG"));
  await page.getByRole("button", { name: "Export" }).click();
  const links = page.getByRole("dialog").getByRole("link");
  await links.filter({ hasText: "Download PNG" }).waitFor();
  const hrefs = await links.evaluateAll((found) => found.map((each) => each.href));
  assert.ok(hrefs.length >= 8, `only ${hrefs.length} exports`);
  for (const href of hrefs) {
    const answer = await fetchWithToken(href);
    assert.equal(answer.status, 200, href);
    assert.ok((await answer.arrayBuffer()).byteLength > 300, `${href} is empty`);
  }
  await shot(page, "export-light");
  assertClean(seen);
  await context.close();
  await narrowAndDark(`/runs/${run}`, "imported");
});

test("two runs: the environments first, then each cell with its interval", { timeout: TEST_MS }, async () => {
  const [a, b] = [await post(imported("old-box", 1)), await post(imported("new-box", 1.5))];
  const { context, page, seen } = await openPage(browser);
  await page.goto(`${URL_BASE}/compare?a=${a}&b=${b}`);
  const differences = page.getByRole("table").filter({ hasText: "kernel" });
  await differences.first().waitFor();
  // Imported runs show no spread between runs, so their difference is shown without a verdict.
  await page.getByText(/^No spread between runs has been shown on one of the hosts/).waitFor();
  const row = page.getByRole("row").filter({ hasText: "Published port on 127.0.0.1, userland-proxy on" }).filter({ hasText: "Not judged" });
  assert.match(await row.innerText(), /\b1\.50\d?\b[\s\S]*Not judged: no spread between runs has been shown here \(within these two runs [^)]*\d %/);
  await assertReadable(page, "comparison, light and wide");
  await shot(page, "compare-light");
  assert.deepEqual(await assertImages(page, "light"), ["Ratios, B to A as PNG", "Ratios, B to A as SVG"]);
  assertClean(seen);
  await context.close();
  await narrowAndDark(`/compare?a=${a}&b=${b}`, "compare");
});

test("logs are imported on the page, and a bad one is reported at its row", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser);
  await page.goto(`${URL_BASE}/import`);
  await page.getByRole("textbox", { name: "Host" }).or(page.getByRole("combobox", { name: "Host" })).fill("old-box");
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByLabel("Log files").setInputFiles([file("same_container-1.log", log(40_000, 1)), file("published_loopback-1.log", "no pgbench at all")]);
  await page.getByRole("button", { name: "Import 2 logs" }).click();
  await page.getByText(/pgbench printed no line/).waitFor();
  // The refusal is the one expected error: the browser logs the 422 itself.
  assert.deepEqual(seen.errors.splice(0).filter((text) => !/status of 422/.test(text)), []);
  await assertReadable(page, "import, light and wide");
  await shot(page, "import-light");
  await page.getByRole("button", { name: "Remove published_loopback-1.log" }).click();
  await page.getByLabel("Log files").setInputFiles([file("published_loopback-1.log", log(17_000, 1))]);
  await page.getByRole("button", { name: "Import 2 logs" }).click();
  await page.waitForURL(/\/runs\/run_[0-9a-z]{16}$/);
  await page.getByText(/imported, without evidence/i).first().waitFor();
  assertClean(seen);
  await context.close();
  await narrowAndDark("/import", "import");
});
