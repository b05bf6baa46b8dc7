// Hosts page, a host's page, groups of runs and the usage: what administrators do there, at both widths and in both themes.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { assertClean, assertPrintable, assertReadable, launch, openPage, settled, shot, stepsOf, TEST_MS, URL_BASE } from "../lib/chromium.mjs";
import { COLOUR_RULES, show } from "../lib/problems.mjs";

const { GROUP, ACTIVE_GROUP } = process.env;
const JOINED = "far-1";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** What scripts/join and the first start of its worker send. */
async function join(secret) {
  const headers = { "Content-Type": "application/json", "Plimsoll-Worker": "0.1.0/1" };
  const send = (path, body, method = "POST", more = {}) => fetch(`${URL_BASE}/api/v1/worker/${path}`, { method, headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const answer = await send("enrolment", { secret, name: JOINED, nonce: randomBytes(16).toString("hex"), release: "0.1.0", protocol: 1 });
  assert.equal(answer.status, 201, await answer.clone().text());
  const { token } = await answer.json();
  const own = { Authorization: `Bearer ${token}` };
  const announced = await send("host", { capabilities: { paths: ["same_container"], engines: ["on"], programs: [], cores: 4 }, environment: { kernel: "6.12.9" }, install_id: "install-1" }, "PUT", own);
  assert.ok(announced.ok, await announced.text());
  const report = () => send("seen", { sent_at: new Date().toISOString(), conditions: [], disk: { total_bytes: 80e9, free_bytes: 52e9 } }, "POST", own);
  assert.ok((await report()).ok);
  return report;
}

test("hosts and groups", { timeout: TEST_MS }, async (t) => {
  const { context, page, seen } = await openPage(browser);
  let report;
  const step = stepsOf(t);

  await step("a command is made, shown once, and a host joins with it", async () => {
    await page.goto(`${URL_BASE}/hosts`);
    await page.getByRole("textbox", { name: "Only for a host of this name" }).fill(JOINED);
    await page.getByRole("button", { name: "Make a command" }).click();
    const field = page.getByRole("textbox", { name: "Command for the new host" });
    await field.waitFor();
    const command = await field.inputValue();
    assert.match(command, new RegExp(`^\\./scripts/join - --name ${JOINED} <<< '?http.*/join#ple_\\S+$`));
    await page.getByRole("region", { name: "Open enrolments" }).getByText(JOINED).waitFor();
    await shot(page, "hosts-enrolment");
    report = await join(command.match(/#(ple_[^' ]+)/)[1]);
    await page.reload();
    await page.getByRole("link", { name: JOINED }).waitFor();
    assert.equal(await page.getByRole("region", { name: "Open enrolments" }).count(), 0, "a used enrolment is still offered");
    assert.equal(await page.getByText(command).count(), 0, "the command is shown twice");
  });

  await step("a host is drained after a question, and resumed", async () => {
    await page.getByRole("link", { name: JOINED }).click();
    await page.getByRole("button", { name: "Drain", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it in use" }).click();
    assert.equal(await page.getByRole("button", { name: "Resume", exact: true }).count(), 0);
    await page.getByRole("button", { name: "Drain", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Drain the host" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await shot(page, "host-drained");
    await page.goto(`${URL_BASE}/hosts`);
    await page.getByRole("row", { name: new RegExp(`^${JOINED}`) }).getByText(/drained/).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume the host" }).click();
    await page.getByRole("button", { name: "Drain", exact: true }).waitFor();
  });

  await step("a policy with hours is stored, and one that forbids waiting trials asks first", async () => {
    await page.getByRole("button", { name: "Change the policy" }).click();
    await page.getByRole("textbox", { name: /^Longest trial/ }).fill("30");
    await page.getByRole("button", { name: "Add hours" }).click();
    await page.getByRole("textbox", { name: /^Time zone/ }).fill("Europe/Berlin");
    await shot(page, "host-policy-form");
    await page.getByRole("button", { name: "Save the policy" }).click();
    await page.getByText(/Europe\/Berlin/).first().waitFor();
    await page.getByRole("form", { name: "Policy" }).waitFor({ state: "detached" });
    await page.goto(`${URL_BASE}/hosts/bench-2`);
    await page.getByRole("button", { name: "Change the policy" }).click();
    await page.getByRole("group", { name: "Docker daemons that runs may use" }).getByRole("button", { name: /userland-proxy on/ }).click();
    await page.getByRole("button", { name: "Save the policy" }).click();
    const dialog = page.getByRole("dialog", { name: "The policy forbids trials that wait on bench-2" });
    await dialog.waitFor();
    await shot(page, "host-policy-question");
    await dialog.getByRole("button", { name: "Back to the form" }).click();
    await page.getByRole("button", { name: "Keep it as it was" }).click();
  });

  await step("a token is revoked: the host is shown as such, and its worker can report nothing", async () => {
    await page.goto(`${URL_BASE}/hosts/${JOINED}`);
    await page.getByRole("button", { name: "Revoke the token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke it" }).click();
    await page.getByText(/its token was revoked: it can report nothing/).waitFor();
    assert.equal((await report()).status, 401);
    await shot(page, "host-revoked");
  });

  await step("a group shows what differs, the ratios and whether hosts disagree; its files are there", async () => {
    await page.goto(`${URL_BASE}/run-groups`);
    await page.getByRole("link", { name: "Path ladder on every host of the laboratory" }).last().click();
    await page.waitForURL(new RegExp(GROUP));
    await page.getByText(/^Hosts disagree about 2 of 4 cells/).first().waitFor();
    await page.getByRole("img", { name: /^Ratio to the own baseline on each host/ }).waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    const files = page.getByRole("list", { name: "Files" }).getByRole("link");
    await files.first().waitFor();
    for (const link of await files.all()) {
      const answer = await page.request.get(await link.evaluate((each) => each.href));
      assert.equal(answer.status(), 200, await link.innerText());
    }
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("combobox", { name: "Metric of all hosts" }).selectOption("cpu_us_per_txn");
    // The chart of the metric before stays until the figures of this one are there.
    await page.getByRole("img", { name: /^Ratio to the own baseline on each host, CPU per transaction/ }).waitFor();
    await page.getByRole("button", { name: "Ratios to each host’s own baseline: copy or download" }).click();
    const image = page.getByRole("menuitem", { name: "Download PNG" }).and(page.locator('[href*="metric=cpu_us_per_txn"]'));
    assert.equal((await page.request.get(await image.evaluate((each) => each.href))).headers()["content-type"], "image/png");
    await page.keyboard.press("Escape");
  });

  await step("a run to compare is found by terms of the library, and by its id in the palette", async () => {
    await page.goto(`${URL_BASE}/compare`);
    const box = page.getByRole("combobox", { name: "Run A" });
    await box.click();
    await page.getByRole("option").first().waitFor();
    await box.fill("host:bench-2 pth:x");
    await page.getByText("Left out of the search: pth:x").waitFor();
    await box.fill("host:bench-2 -state:running");
    await page.getByRole("option", { name: /bench-1/ }).first().waitFor({ state: "detached" });
    await page.getByRole("option", { name: /bench-2/ }).first().waitFor();
    await box.press("Enter");
    await page.waitForURL(/[?]a=run_/);
    const id = new URL(page.url()).searchParams.get("a");
    await box.fill("host:bench-1");
    await page.getByRole("option", { name: /bench-1/ }).first().waitFor();
    await box.press("Escape");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).fill(id);
    await page.getByRole("option", { name: /bench-2/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${URL_BASE}/runs/${id}`);
  });

  await step("the note of a run is written in the library by keyboard", async () => {
    await page.goto(`${URL_BASE}/library`);
    await page.getByRole("link", { name: /^Path ladder/ }).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("m");
    await page.getByRole("textbox", { name: "Note" }).waitFor();
    await page.keyboard.type("**quiet** night");
    await assertReadable(page, "the note of a run", { all: true });
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Note" }).waitFor({ state: "detached" });
    await page.keyboard.press("m");
    assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "**quiet** night");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Note: **quiet** night").waitFor();
  });

  await step("every page is readable at both widths and in both themes", async () => {
    const pages = { hosts: "/hosts", host: "/hosts/bench-1", joined: `/hosts/${JOINED}`, groups: "/run-groups", group: `/run-groups/${GROUP}`, active: `/run-groups/${ACTIVE_GROUP}`, usage: "/team/usage" };
    const opened = await openPage(browser, { withAxe: true });
    for (const [name, path] of Object.entries(pages)) {
      await show(opened.page, "light", 1280);
      await opened.page.goto(URL_BASE + path);
      await opened.page.getByRole("heading", { level: 1 }).waitFor();
      await settled(opened.page);
      for (const width of [1280, 360]) {
        await show(opened.page, "light", width);
        await assertNothingClipped(opened.page, `${name}, ${width} px`);
        if (width > 1000) await assertPrintable(opened.page, name);
        for (const colorScheme of ["light", "dark"]) {
          await opened.page.emulateMedia({ colorScheme });
          await shot(opened.page, `${name}-${colorScheme}-${width}`);
          if (name === "group") await shot(opened.page, `chart-${colorScheme}-${width}`, 'main section:has([role="img"])');
          // Nothing but colours depends on the theme.
          await assertReadable(opened.page, `${name}, ${colorScheme}, ${width} px`, { all: true, ...(colorScheme === "dark" && { rules: COLOUR_RULES }) });
        }
      }
    }
    opened.seen.errors = withoutMissing(opened.seen.errors);
    assertClean(opened.seen);
    await opened.context.close();
  });

  await step("an ended group is deleted with its runs", async () => {
    await page.goto(`${URL_BASE}/run-groups/${GROUP}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this group and its runs?" });
    await dialog.getByText(/its runs \(3\) with their trials \(\d+\)/).waitFor();
    await shot(page, "group-delete");
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await page.waitForURL(/\/run-groups$/);
    await settled(page);
    assert.equal((await page.request.get(`${URL_BASE}/api/v1/run-groups/${GROUP}`)).status(), 404);
    const left = page.getByRole("link", { name: "Path ladder on every host of the laboratory" });
    await left.nth(1).waitFor({ state: "detached" });
    await left.first().waitFor();
  });

  seen.errors = withoutMissing(seen.errors);
  assertClean(seen);
  await context.close();
});

/** A host whose lab and host daemon were never compared answers 404 there; the browser logs that itself. */
const withoutMissing = (errors) => errors.filter((text) => !/status of 404/.test(text));

/** No text of a chart ends outside of its drawing. */
async function assertNothingClipped(page, what) {
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll("main svg.recharts-surface text")].flatMap((text) => {
      const own = text.getBoundingClientRect();
      const area = text.ownerSVGElement.getBoundingClientRect();
      return own.left < area.left - 1 || own.right > area.right + 1 || own.top < area.top - 1 || own.bottom > area.bottom + 1 ? [text.textContent] : [];
    }),
  );
  assert.deepEqual(clipped, [], `${what}: clipped texts`);
}
