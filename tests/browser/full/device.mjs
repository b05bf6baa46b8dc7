// The command line signs in by the browser: a terminal waits, a person confirms its code, wide and light or narrow and dark.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { assertClean, assertReadable, launch, openPage, shot, TEST_MS, URL_BASE } from "../lib/chromium.mjs";

const PLIMSOLL = new URL("../../../.venv/bin/plimsoll", import.meta.url).pathname;

let browser;
let home;
before(async () => {
  browser = await launch();
  home = mkdtempSync(join(tmpdir(), "plimsoll-login-"));
});
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

/** The command in a home of its own, without the access of this host. */
function plimsoll(...words) {
  const { PLIMSOLL_TOKEN: _, ...kept } = process.env;
  return spawn(PLIMSOLL, words, { env: { ...kept, XDG_CONFIG_HOME: home, PLIMSOLL_VAR_DIR: home } });
}

/** A terminal that waits: its address and code, and how it ends. */
async function login() {
  const terminal = plimsoll("login", URL_BASE);
  const ended = once(terminal, "close");
  let text = "";
  for await (const line of createInterface(terminal.stderr)) {
    text += `${line}\n`;
    const found = /(http\S+[?]user_code=(\S+))/.exec(line);
    if (found) return { url: found[1], code: found[2], ended };
  }
  return assert.fail(`no code: ${text}`);
}

for (const [theme, options] of [
  ["light", { colorScheme: "light" }],
  ["narrow-dark", { colorScheme: "dark", viewport: { width: 360, height: 740 } }],
]) {
  test(`a person confirms the code of a terminal: ${theme}`, { timeout: TEST_MS }, async () => {
    const { context, page, seen } = await openPage(browser, options);
    const terminal = await login();
    await page.goto(terminal.url);
    const input = page.getByRole("textbox", { name: "Code" });
    await input.waitFor();
    assert.equal(await input.inputValue(), terminal.code);
    await assertReadable(page, `code, ${theme}`);
    await shot(page, `device-code-${theme}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText(terminal.code, { exact: true }).waitFor();
    await assertReadable(page, `review, ${theme}`);
    await shot(page, `device-review-${theme}`);
    await page.getByRole("button", { name: "The codes are equal: sign in" }).click();
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    await assertReadable(page, `done, ${theme}`);
    await shot(page, `device-done-${theme}`);
    assert.deepEqual(await terminal.ended, [0, null]);
    const whoami = plimsoll("whoami");
    let said = "";
    whoami.stdout.on("data", (part) => (said += part));
    assert.deepEqual(await once(whoami, "close"), [0, null]);
    assert.match(said, /scopes +run:read, run:write, share:write/);
    assert.ok(said.includes(URL_BASE));
    assert.deepEqual(await once(plimsoll("logout"), "close"), [0, null]);
    assertClean(seen);
    await context.close();
  });
}
