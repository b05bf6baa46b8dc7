// Steps of a browser that submits a small experiment and waits for its trials.
import assert from "node:assert/strict";
import { api, URL_BASE } from "./chromium.mjs";

export const RUN_MS = 300_000;

/** From the first page by the studies to the quick preset's form, made small: two paths, one second, no warm-up. A tool reports once a second: to be seen live, a trial needs two. */
export async function smallExperiment(page, rounds, { base = URL_BASE, seconds = 1 } = {}) {
  await page.goto(`${base}/`);
  await page.getByRole("heading", { level: 1, name: /^What does each/ }).waitFor();
  await page.getByRole("link", { name: "All studies" }).click();
  const card = page.getByRole("article", { name: "Study pachot-2019" });
  await card.getByRole("figure").waitFor();
  assert.match(await card.innerText(), /about\s+\d+ (s|min)/);
  await card.getByRole("link", { name: /^Quick form/ }).click();
  await page.waitForURL(/\/new\?preset=pachot-2019-quick/);
  await page.getByRole("button", { name: "Remove Sibling container", exact: true }).click();
  await page.getByRole("textbox", { name: "duration (s)" }).fill(String(seconds));
  await page.getByRole("textbox", { name: "warm-up (s)" }).fill("0");
  await unfold(page, "Rounds");
  await page.getByRole("textbox", { name: "Rounds", exact: true }).fill(String(rounds));
  await allowNoise(page);
  await unfold(page, "Plan in detail");
  await page.getByText(`${5 * rounds} trials`, { exact: true }).waitFor();
}

/** Opens a folded part of the form, unless it is open. */
export async function unfold(page, title) {
  const part = page.locator("details", { has: page.locator("summary").getByText(title, { exact: true }) }).last();
  if (!(await part.evaluate((each) => each.open))) await part.locator("summary").first().click();
}

/** The browser is a load on the measured host: with the default limits every trial would be excluded. */
async function allowNoise(page) {
  await unfold(page, "Limits on host noise");
  await page.getByRole("textbox", { name: /^Wait for a quiet host/ }).fill("0");
  await page.getByRole("textbox", { name: /^Other processes/ }).fill("");
  await page.getByRole("textbox", { name: /^Steal/ }).fill("");
  await page.getByRole("textbox", { name: /^Repeat at most/ }).fill("0");
}

/** Starts the experiment on the screen; returns the run's id. */
export async function start(page) {
  const run = page.getByRole("button", { name: /^Run on / });
  await run.and(page.locator(":enabled")).waitFor();
  await run.click();
  await page.waitForURL(/\/runs\/run_[0-9a-z]{16}$/);
  return new URL(page.url()).pathname.split("/").at(-1);
}

const PROGRESS = '[role="progressbar"][aria-label="Trials done"]';

/** The number of trials that ended, as the page of a running run has it. */
export async function finished(page) {
  return Number(await page.locator(PROGRESS).getAttribute("aria-valuenow"));
}

export async function finishedAtLeast(page, count) {
  await page.waitForFunction(([bar, least]) => Number(document.querySelector(bar)?.ariaValueNow) >= least, [PROGRESS, count], { timeout: RUN_MS });
}

/** The id of a run whose trials are done: the newest that there is, else a small one that is started on this page. */
export async function finishedRun(page) {
  const { data } = await api("/runs");
  const done = data.find(({ state, origin }) => state === "done" && origin === "measured");
  if (done) return done.id;
  await smallExperiment(page, 2);
  const runId = await start(page);
  await page.getByRole("button", { name: "Share", exact: true }).waitFor({ timeout: RUN_MS });
  return runId;
}
