// An invited person chooses a password, is paused after wrong ones, and sets a new one after a one-time link.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accountButton, assertReadable, fromAccountMenu, launch, openPage, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const { EMAIL, PASSWORD, NEW_PASSWORD } = process.env;
const ADMIN = JSON.parse(process.env.ADMIN_HEADERS);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const password = (page, label = "Password") => page.getByLabel(label, { exact: true });
const visible = (page, text) => page.getByText(text).waitFor();
const signedIn = (page) => accountButton(page).waitFor();

/** What the browser reports itself: refused passwords, and questions who is signed in. */
const unexpected = (seen) => seen.errors.filter((text) => !/status of (401|422|429)/.test(text));

/** A request of the installation's administrator. */
async function administer(path, body) {
  const options = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${URL_BASE}/api/v1${path}`, { ...options, headers: { ...ADMIN, "Content-Type": "application/json" } });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

async function signIn(page, value) {
  await page.getByRole("textbox", { name: "Email address" }).fill(EMAIL);
  await password(page).fill(value);
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/v1/sessions"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  return (await answered).status();
}

test("invitation, password, pause, reset", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser, { guest: true });
  await page.goto((await administer("/invitations", { role: "runner" })).url);
  await page.getByRole("textbox", { name: "Your name" }).fill("Grace Hopper");
  await page.getByRole("textbox", { name: "Email address" }).fill(EMAIL);
  await password(page).fill("gracehopper12");
  await page.getByRole("button", { name: "Create the account and join" }).click();
  await visible(page, /too easy to guess/);
  await assertReadable(page, "invitation");
  await shot(page, "invitation-light");
  await password(page).fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account and join" }).click();
  await signedIn(page);
  await fromAccountMenu(page, "menuitem", "Sign out");
  await page.waitForURL(`${URL_BASE}/sign-in`);

  await page.goto(`${URL_BASE}/help`);
  assert.equal(await signIn(page, PASSWORD), 204);
  await signedIn(page);
  assert.equal(page.url(), `${URL_BASE}/help`);

  const other = await openPage(browser, { guest: true });
  await other.page.goto(`${URL_BASE}/sign-in`);
  for (let attempt = 0; attempt < 5; attempt++) assert.equal(await signIn(other.page, "not the password"), 401);
  await visible(other.page, /Email address or password is wrong/);
  assert.equal(await signIn(other.page, PASSWORD), 429);
  await visible(other.page, /Paused after several wrong attempts. Try again in \d+\ss/);
  assert.ok(await other.page.getByRole("button", { name: "Sign in", exact: true }).isDisabled());
  await assertReadable(other.page, "pause");
  await shot(other.page, "sign-in-paused-light");

  const account = (await administer("/accounts")).data.find(({ email }) => email === EMAIL);
  const link = await administer(`/accounts/${account.id}/sign-in-links`, {});
  await other.page.goto("about:blank"); // else the address would differ in its fragment alone
  await other.page.goto(link.url);
  await signedIn(other.page);
  await other.page.goto(`${URL_BASE}/account`);
  await password(other.page, "New password").fill(NEW_PASSWORD);
  assert.equal(await password(other.page, "Current password").count(), 0);
  await other.page.getByRole("button", { name: "Change password" }).click();
  await visible(other.page, /Your other browsers are signed out/);
  await assertReadable(other.page, "account");
  await shot(other.page, "account-password-light");

  await page.goto(`${URL_BASE}/account`);
  assert.equal(await signIn(page, NEW_PASSWORD), 204);
  await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
  assert.deepEqual([unexpected(seen), unexpected(other.seen)], [[], []]);
  assert.ok(![...seen.urls, ...other.seen.urls].some((url) => url.includes(encodeURIComponent(PASSWORD))), "a password in a URL");
  await context.close();
  await other.context.close();
});
