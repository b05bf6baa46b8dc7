// A connection that is lost while a run is measured: the page says so, and goes on where it stopped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fetchWithToken, launch, openPage, STEP_MS, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { finished, finishedAtLeast, RUN_MS, smallExperiment, start } from "../lib/experiment.mjs";
import { openLine } from "../lib/line.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a lost connection is reported, and the page goes on where it stopped", { timeout: TEST_MS }, async (t) => {
  const line = await openLine(URL_BASE);
  // A line that stays open would keep this process alive after a failure.
  t.after(line.cut);
  const { context, page } = await openPage(browser);
  await smallExperiment(page, 20, { base: line.url });
  const runId = await start(page);
  await finishedAtLeast(page, 1);
  await line.cut();
  await page.getByText("Connection lost.").waitFor();
  const before = await finished(page);
  await line.mend();
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  await finishedAtLeast(page, before + 2);
  // The page asks for the trials by itself, and may have them before the browser opens the stream again.
  assert.ok(await Promise.race([line.resumed, page.waitForTimeout(STEP_MS)]), "no stream was resumed from an event's id");
  const cancel = await fetchWithToken(`${URL_BASE}/api/v1/runs/${runId}:cancel`, { method: "POST" });
  assert.equal(cancel.status, 202);
  await page.getByText("This run was cancelled.").waitFor({ timeout: RUN_MS });
  await context.close();
});
