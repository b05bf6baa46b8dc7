// People sign in: by a real identity provider's form, by password with a second factor, and with a provider that does not answer.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { accountButton, assertReadable, fromAccountMenu, launch, openPage, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const { SILENT_URL, DEX_URL, DEX_PASSWORD, EMAIL, OTHER_EMAIL, OWN_EMAIL, OWN_PASSWORD } = process.env;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** The code of an authenticator app (RFC 6238: HMAC-SHA-1, 30 s, six digits) for a key in base 32, some steps from now. */
function totp(key, steps = 0) {
  const bits = [...key].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = hash.at(-1) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function fillProvidersForm(page, email) {
  await page.waitForURL((url) => url.href.startsWith(DEX_URL));
  await page.locator('input[name="login"]').fill(email);
  await page.locator('input[name="password"]').fill(DEX_PASSWORD);
  await page.locator('button[type="submit"]').click();
}

const signedIn = (page, name) => accountButton(page).waitFor().then(() => page.locator("header").getByText(name).waitFor());

/** What the browser reports itself: a request without a session, and refused codes. Everything else is an error, of the CSP for example. */
const unexpected = (seen) => seen.errors.filter((text) => !/status of (401|422)/.test(text));

test("a person signs in by the provider's own form, and out", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser, { guest: true });
  await page.goto(`${URL_BASE}/help`);
  await page.getByRole("link", { name: "Sign in with Example login" }).waitFor();
  await assertReadable(page, "sign-in");
  await shot(page, "sign-in-light");
  await page.getByRole("link", { name: "Sign in with Example login" }).click();
  await fillProvidersForm(page, EMAIL);
  await page.waitForURL(`${URL_BASE}/help`);
  await signedIn(page, EMAIL.split("@")[0]);
  const cookies = await context.cookies();
  assert.ok(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === "Lax"));
  assert.equal(cookies.filter(({ name }) => name.startsWith("plimsoll") && name.endsWith("provider")).length, 0, "the attempt's cookie is left");
  assert.ok(!seen.urls.some((url) => url.startsWith(URL_BASE) && url.includes(cookies[0].value)));
  await fromAccountMenu(page, "menuitem", "Sign out");
  await page.waitForURL(`${URL_BASE}/sign-in`);
  const { status } = await context.request.get(`${URL_BASE}/api/v1/runs`).then((answer) => ({ status: answer.status() }));
  assert.equal(status, 401);
  assert.deepEqual(unexpected(seen), []);
  await context.close();
});

test("somebody whom nobody invited reads what to do", { timeout: TEST_MS }, async () => {
  const { context, page } = await openPage(browser, { guest: true });
  await page.goto(`${URL_BASE}/sign-in`);
  await page.getByRole("link", { name: "Sign in with Example login" }).click();
  await fillProvidersForm(page, OTHER_EMAIL);
  await page.waitForURL(/\/sign-in\?failed=not_invited$/);
  await page.getByText(/you have no account here. Ask an administrator/).waitFor();
  await context.close();
});

test("a second factor is set up, requested, and removed; an identity is linked", { timeout: TEST_MS }, async () => {
  const { context, page, seen } = await openPage(browser, { guest: true });
  const byPassword = async () => {
    await page.goto(`${URL_BASE}/sign-in`);
    await page.getByRole("textbox", { name: "Email address" }).fill(OWN_EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(OWN_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await byPassword();
  await signedIn(page, "Ada");
  await page.goto(`${URL_BASE}/account`);
  await page.getByRole("button", { name: "Set up a second factor" }).click();
  const picture = page.getByRole("img", { name: /^QR code/ });
  await picture.waitFor();
  assert.ok((await picture.evaluate(async (image) => (await image.decode(), image.naturalWidth))) > 100, "the QR code is not drawn");
  const key = (await page.getByRole("note", { name: "Key" }).innerText()).replaceAll(" ", "");
  await assertReadable(page, "enrolment");
  await shot(page, "second-factor-light");
  await page.getByRole("textbox", { name: "Code of the app" }).fill("12345");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText(/this code is wrong/).waitFor();
  await page.getByRole("textbox", { name: "Code of the app" }).fill(totp(key));
  await page.getByRole("button", { name: "Confirm" }).click();
  const list = page.getByRole("list", { name: "Recovery codes" });
  await list.waitFor();
  const codes = (await list.innerText()).split(/\s+/).filter(Boolean);
  assert.equal(codes.length, 10);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as a file" }).click();
  assert.equal((await waiting).suggestedFilename(), "plimsoll-recovery-codes.txt");
  await assertReadable(page, "recovery codes");
  await page.getByRole("checkbox", { name: /I stored them/ }).check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(/10 recovery codes left/).waitFor();

  await page.getByRole("button", { name: "Link my identity of Example login" }).click();
  await fillProvidersForm(page, OTHER_EMAIL);
  await page.waitForURL(`${URL_BASE}/account`);
  await page.getByRole("row", { name: new RegExp(OTHER_EMAIL) }).waitFor();
  await shot(page, "account-light");

  await fromAccountMenu(page, "menuitem", "Sign out");
  await page.waitForURL(`${URL_BASE}/sign-in`);
  await byPassword();
  const field = page.getByRole("textbox", { name: "Code", exact: true });
  await field.fill(codes[0]);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await signedIn(page, "Ada");
  await page.goto(`${URL_BASE}/account`);
  await page.getByText(/9 recovery codes left/).waitFor();
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("textbox", { name: "Code for a change" }).fill(totp(key, 1));
  await page.getByRole("button", { name: "Remove the second factor" }).click();
  await page.getByRole("button", { name: "Set up a second factor" }).waitFor();
  assert.deepEqual(unexpected(seen), []);
  await context.close();
});

test("a provider that does not answer is explained, and others are served meanwhile", { timeout: TEST_MS }, async () => {
  const { context, page } = await openPage(browser, { guest: true });
  await page.goto(`${SILENT_URL}/sign-in`);
  const arrival = page.waitForURL(/\/sign-in\?failed=unavailable$/);
  await page.getByRole("link", { name: "Sign in with Example login" }).click({ noWaitAfter: true });
  assert.equal((await fetch(`${SILENT_URL}/healthz`)).status, 200);
  await arrival;
  await page.getByText(/The identity provider does not answer/).waitFor();
  await page.getByRole("textbox", { name: "Email address" }).waitFor();
  await context.close();
});
