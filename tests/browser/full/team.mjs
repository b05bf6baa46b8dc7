// Two people in two browsers: an invitation, one run watched and cancelled by both, a role that changes, an end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, assertClean, assertReadable, fromAccountMenu, launch, openPage, openTab, settled, shot, stepsOf, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { finishedAtLeast, RUN_MS, smallExperiment, start } from "../lib/experiment.mjs";
import { reachable } from "../lib/shares.mjs";

const PASSWORD = "nine grey herons by the weir";
const EMAIL = `runa-${Date.now().toString(36)}@example.org`;
const browsers = [];
before(async () => {
  browsers.push(await launch(), await launch());
});
after(() => Promise.all(browsers.map((each) => each.close())));

/** What the browser itself logs about a response that was refused on purpose. */
const withoutRefusals = (errors) => errors.filter((text) => !/status of (401|403|404|409|410)/.test(text));

async function signIn(page, password) {
  await page.getByRole("textbox", { name: "Email address" }).fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("two people work in one team", { timeout: TEST_MS }, async (t) => {
  const admin = await openPage(browsers[0]);
  const guest = await openPage(browsers[1], { guest: true });
  let invitation;
  let runId;
  const step = stepsOf(t);

  await step("without an account nothing is shown", async () => {
    await guest.page.goto(`${URL_BASE}/runs/run_0000000000000000`);
    await guest.page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await guest.page.getByRole("link", { name: /^run_/ }).count(), 0);
    await assertReadable(guest.page, "sign-in");
    await shot(guest.page, "sign-in-light");
  });

  await step("an administrator invites, and the link works once", async () => {
    const { page } = admin;
    await page.goto(`${URL_BASE}/team`);
    await page.getByRole("textbox", { name: "Email address, if you like" }).fill(EMAIL);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Invitation" });
    await field.waitFor();
    invitation = reachable(await field.inputValue());
    await shot(page, "team-light");

    await guest.page.goto(invitation);
    await guest.page.getByRole("textbox", { name: "Your name" }).fill("Runa");
    await guest.page.getByLabel(/^Password/).fill(PASSWORD);
    await shot(guest.page, "invitation-light");
    await guest.page.getByRole("button", { name: "Create the account and join" }).click();
    await guest.page.getByRole("heading", { level: 1, name: /^What does each path cost/ }).waitFor();

    const third = await openPage(browsers[1], { guest: true });
    await third.page.goto(invitation);
    await third.page.getByRole("textbox", { name: "Your name" }).fill("Somebody else");
    await third.page.getByRole("button", { name: "Create the account and join" }).click();
    await third.page.getByText(/This invitation was used before/).waitFor();
    await third.context.close();

    await page.reload();
    await page.getByRole("row", { name: /^Runa/ }).waitFor();
  });

  await step("a runner starts a run, and both see its trials arrive", async () => {
    await smallExperiment(guest.page, 40);
    runId = await start(guest.page);
    await admin.page.goto(`${URL_BASE}/runs/${runId}`);
    await Promise.all([finishedAtLeast(guest.page, 2), finishedAtLeast(admin.page, 2)]);
    for (const control of ["Invitations", "Audit log"]) {
      await guest.page.goto(`${URL_BASE}/team`);
      await settled(guest.page);
      assert.equal(await guest.page.getByRole("heading", { name: control }).count(), 0, `a runner sees ${control}`);
    }
    await guest.page.goto(`${URL_BASE}/runs/${runId}`);
  });

  await step("both cancel at the same moment: one end, shown to both", async () => {
    const pages = [admin.page, guest.page];
    for (const page of pages) await page.getByRole("button", { name: "Cancel run" }).click();
    // The dialog of the slower one closes by itself once the run's stream says that it is being cancelled.
    const pressed = await Promise.allSettled(pages.map((page) => page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).dispatchEvent("click", {}, { timeout: 10_000 })));
    assert.ok(pressed.some(({ status }) => status === "fulfilled"), "nobody could cancel");
    await Promise.all(pages.map((page) => page.getByText("This run was cancelled.").waitFor({ timeout: RUN_MS })));
    const run = await api(`/runs/${runId}`);
    assert.equal(run.state, "cancelled");
    assert.equal(run.progress.running, 0);
  });

  await step("who may only read sees the run and no control that changes it; the API refuses", async () => {
    const { page } = admin;
    await page.goto(`${URL_BASE}/team`);
    const changed = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await page.getByRole("group", { name: "Role of Runa" }).or(page.getByRole("combobox", { name: "Role of Runa" })).selectOption("viewer");
    await changed;
    await guest.page.goto(`${URL_BASE}/new?preset=pachot-2019-quick`);
    await guest.page.locator("[data-plan-bar] b").first().waitFor();
    assert.equal(await guest.page.getByRole("button", { name: /^Run on / }).count(), 0);
    await guest.page.goto(`${URL_BASE}/runs/${runId}`);
    await openTab(guest.page, "Trials");
    await guest.page.getByRole("table", { name: /^Every cell/ }).waitFor();
    for (const name of ["Share", "Delete", "Cancel run"]) assert.equal(await guest.page.getByRole("button", { name, exact: true }).count(), 0, name);
    const refused = await guest.page.evaluate(async (id) => {
      const session = await (await fetch("/api/v1/session")).json();
      const answer = await fetch(`/api/v1/runs/${id}`, { method: "DELETE", headers: { "X-CSRF-Token": session.csrf_token } });
      return { status: answer.status, code: (await answer.json()).code };
    }, runId);
    assert.deepEqual(refused, { status: 403, code: "forbidden" });
    assert.equal((await api(`/runs/${runId}`)).state, "cancelled");
    await shot(guest.page, "viewer-light");
  });

  await step("the audit log names who tried, in the administrator's browser", async () => {
    await admin.page.goto(`${URL_BASE}/team/audit`);
    const row = admin.page.getByRole("row").filter({ hasText: "Delete run" }).filter({ hasText: "Runa" });
    await row.first().waitFor();
    assert.match(await row.first().innerText(), /403/);
    await assertReadable(admin.page, "audit log");
    await shot(admin.page, "audit-light");
  });

  await step("signed out, wrong password, right password", async () => {
    const { page } = guest;
    await fromAccountMenu(page, "menuitem", "Sign out");
    await page.waitForURL(`${URL_BASE}/sign-in`);
    await signIn(page, "not the password at all");
    await page.getByRole("alert").waitFor();
    await signIn(page, PASSWORD);
    await page.getByRole("heading", { level: 1, name: /^What does each path cost/ }).waitFor();
    for (const path of ["/account", "/team"]) {
      await page.goto(URL_BASE + path);
      await settled(page);
      await assertReadable(page, path);
    }
  });

  await step("a session that is ended elsewhere leads to the sign-in page", async () => {
    const other = await openPage(browsers[1], { guest: true });
    await other.page.goto(`${URL_BASE}/sign-in`);
    await signIn(other.page, PASSWORD);
    await other.page.getByRole("heading", { level: 1, name: /^What does each path cost/ }).waitFor();
    const ended = await guest.page.evaluate(async () => {
      const { csrf_token: token } = await (await fetch("/api/v1/session")).json();
      const { data } = await (await fetch("/api/v1/sessions")).json();
      const others = data.filter((each) => !each.current);
      for (const { id } of others) await fetch(`/api/v1/sessions/${id}`, { method: "DELETE", headers: { "X-CSRF-Token": token } });
      return others.length;
    });
    assert.ok(ended >= 1);
    await other.page.goto(`${URL_BASE}/runs/${runId}`);
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.context.close();
  });

  await step("a removed member sees nothing of the team", async () => {
    const { page } = admin;
    await page.goto(`${URL_BASE}/team`);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Remove Runa from the team" }).click();
    await page.getByRole("row", { name: /^Runa/ }).waitFor({ state: "detached" });
    const status = await guest.page.evaluate((id) => fetch(`/api/v1/runs/${id}`).then((answer) => answer.status), runId);
    assert.equal(status, 404);
    await guest.page.goto(`${URL_BASE}/`);
    await guest.page.getByRole("heading", { name: "You belong to no team" }).waitFor();
    await shot(guest.page, "removed-light");
  });

  for (const { seen, context } of [admin, guest]) {
    seen.errors = withoutRefusals(seen.errors);
    assertClean(seen);
    await context.close();
  }
});
