// Share links as a stranger sees them: every request and answer of their pages, and another site that frames one.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { assertClean, openPage, URL_BASE } from "./chromium.mjs";

const ABOUT_LINKS = /^\/(shared|x\/[^/]+|api\/v1\/shares:open)$/;

/** Opens a link in a browser without cookies; `view` checks the page. Checks headers, foreign requests, Referer and where the token goes. */
export async function openAsStranger(browser, link, token, view) {
  const stranger = await openPage(browser, { guest: true });
  const { context, page, seen } = stranger;
  const sent = [];
  const answers = [];
  page.on("request", (request) => sent.push(request.allHeaders().then((headers) => ({ url: request.url(), headers }))));
  page.on("response", (answer) => answers.push(answer.allHeaders().then((headers) => ({ path: new URL(answer.url()).pathname, headers }))));
  await page.goto(link);
  await view(stranger);
  for (const { url, headers } of await Promise.all(sent)) {
    assert.equal(headers.referer, undefined, `Referer of ${url}`);
    const place = new URL(url);
    const posted = place.pathname === `/x/${token}`;
    assert.ok(posted || !(place.origin + place.pathname + place.search).includes(token), `the token is in ${url}`);
  }
  const about = (await Promise.all(answers)).filter(({ path }) => ABOUT_LINKS.test(path));
  assert.equal(about.length, 2, "the page and its result");
  for (const { path, headers } of about) {
    assert.equal(headers["cache-control"], "no-store", path);
    assert.equal(headers["referrer-policy"], "no-referrer", path);
    assert.equal(headers["x-robots-tag"], "noindex, nofollow", path);
    assert.equal(headers["set-cookie"], undefined, path);
  }
  assert.deepEqual(await context.cookies(), []);
  for (const path of ["/runs", "/hosts", "/shares", "/audit"]) {
    const other = await page.evaluate((url) => fetch(url).then(({ status }) => status), `/api/v1${path}`);
    assert.equal(other, 401, `a link opens ${path}`);
  }
  seen.errors = seen.errors.filter((text) => !/status of 401/.test(text));
  assertClean(seen);
  await context.close();
}

/** Another site may frame the embedded page and show the picture, and may not frame the link's page. */
export async function assertEmbedded(browser, link) {
  const { context, page } = await openPage(browser, { guest: true });
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<iframe src="${link}/embed"></iframe><img src="${link}/image.png" alt=""><iframe src="${link}"></iframe>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const refusals = [];
  page.on("console", (message) => /frame-ancestors/.test(message.text()) && refusals.push(message.text()));
  const framed = page.waitForResponse((answer) => answer.url().startsWith(`${link}/image.svg`) && answer.ok());
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await framed;
  assert.equal(await page.locator("img").evaluate((image) => image.naturalWidth), 1200);
  assert.equal(refusals.length, 1, "the page of a link can be framed");
  server.close();
  await context.close();
}

/** What chats read of a link, without running its script. */
export async function preview(link) {
  const answer = await fetch(link, { headers: { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } });
  const text = await answer.text();
  const tags = Object.fromEntries([...text.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  return { status: answer.status, tags, text };
}

/** No log of the product has any of these tokens. */
export function assertNotLogged(tokens) {
  if (!process.env.PLIMSOLL_VAR_DIR) return;
  const folder = join(process.env.PLIMSOLL_VAR_DIR, "log");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  assert.ok(files.length > 0, `no log in ${folder}`);
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), "utf8");
    for (const token of tokens) assert.ok(!text.includes(token), `a token is in ${file.name}`);
  }
}

/** The link's address at the URL that this test uses. */
export function reachable(link) {
  const { pathname, hash } = new URL(link);
  return URL_BASE + pathname + hash;
}
