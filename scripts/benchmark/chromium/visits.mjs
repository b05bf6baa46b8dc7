// Visits of pages: node visits.mjs CONFIG, a JSON file with url, cookie, run and visits. Prints one JSON document.
import { browser, config, open, round } from "./browser.mjs";
import { SLOW, visit } from "./visit.mjs";

const PAGES = {
  Home: ["/", "main section :is(h2, h3)"],
  "New experiment": ["/new", "main fieldset"],
  Result: [`/runs/${config.run}`, "main svg.recharts-surface"],
};
const NETWORKS = { localhost: undefined, "1.6 Mbit/s, 150 ms": SLOW };
const FIGURES = ["requests", "all_requests", "kb", "drawn_ms", "lcp_ms", "shift"];

const found = new Map();
for (let turn = 0; turn < config.visits; turn += 1)
  for (const [name, [path, selector]] of Object.entries(PAGES))
    for (const [network, emulated] of Object.entries(NETWORKS)) {
      const { context, page } = await open();
      const key = JSON.stringify([name, network]);
      found.set(key, [...(found.get(key) ?? []), await visit(page, `${config.url}${path}`, selector, emulated)]);
      await context.close();
    }
await browser.close();

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
/** Median, minimum and maximum of a figure. */
const spread = (values) => [middle(values), Math.min(...values), Math.max(...values)].map((value) => round(value, 4));
const rows = [...found].map(([key, visits]) => {
  const [page, network] = JSON.parse(key);
  return { page, network, n: visits.length, kinds: visits[0].kinds, ...Object.fromEntries(FIGURES.map((name) => [name, spread(visits.map((each) => each[name]))])) };
});
process.stdout.write(JSON.stringify(rows));
