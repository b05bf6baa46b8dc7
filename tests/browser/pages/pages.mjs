// Every page of seeded records, for an administrator, in every combination of language, theme and width; no English sentence is in the Chinese pages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, TEST_MS } from "../lib/chromium.mjs";
import { COMBINATIONS, LANGUAGES, ROUTES, VARIANTS } from "../lib/views.mjs";
import { openWalk } from "../lib/walk.mjs";

const KNOWN = JSON.parse(process.env.KNOWN);
/** Texts that stay English in the Chinese page, each with its reason. */
const STAYS_ENGLISH = [
  [/^(\d+\/\d+ )?Path ladder on every host of the laboratory( · Plimsoll)?$/, "the title that the seeded experiment has"],
  [/^(the kernel has no macvlan|no swarm on this host|All signals agree\.)$/, "a worker's text that the seeded records made up"],
  [/^with userland-proxy off nothing takes a connection from \[::1\]/, "the reason of a path has no id without the path's name before it"],
  [/^not measured yet$/, "the reason of a cell that waits, in a group that runs, is shown without its id"],
  [/^\S*plimsoll( \S+)+$/, "a command"],
];
const THREE_WORDS = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Whether a text of the Chinese page has an English sentence. */
function isEnglish(text) {
  return THREE_WORDS.test(text) && !/\p{Script=Han}/u.test(text) && !STAYS_ENGLISH.some(([stays]) => stays.test(text));
}

/** For a quick try: the languages and routes to visit. */
const { ONLY_LANGUAGE, ONLY_ROUTES } = process.env;
const views = [...ROUTES, ...VARIANTS].filter((each) => !ONLY_ROUTES || ONLY_ROUTES.split(",").includes(each));
for (const language of ONLY_LANGUAGE ? [ONLY_LANGUAGE] : LANGUAGES)
  test(`every page in ${language}`, { timeout: TEST_MS }, async (t) => {
    const combinations = COMBINATIONS.filter((each) => each.language === language);
    const walk = openWalk(browser, KNOWN);
    const all = { checked: [], wrong: [] };
    for (const view of views) {
      const { checked, wrong, texts } = await walk.visit(view, combinations);
      if (language === "zh") wrong.push(...[...texts].filter(isEnglish).map((text) => `${view}: English in the Chinese page: ${text.slice(0, 160)}`));
      for (const text of wrong) t.diagnostic(text);
      all.checked.push(...checked);
      all.wrong.push(...wrong);
    }
    await walk.close();
    t.diagnostic(`${views.length} routes, ${all.checked.length} views`);
    assert.deepEqual(all.wrong, []);
    assert.equal(new Set(all.checked).size, views.length * combinations.length);
  });
