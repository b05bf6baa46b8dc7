// The views of the product: each route of ROUTES and each further address, in languages, themes and widths.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const ROOT = new URL("../../../", import.meta.url).pathname;

export const LANGUAGES = ["en", "zh"];
export const THEMES = ["light", "dark"];
export const WIDTHS = [1280, 360];
/** Every combination of the three. */
export const COMBINATIONS = LANGUAGES.flatMap((language) => WIDTHS.flatMap((width) => THEMES.map((theme) => ({ language, width, theme }))));

/** The paths of the routes. The page's test routes.test.ts holds that this expression misses none. */
export const ROUTES = [...readFileSync(`${ROOT}frontend/src/app/routes.tsx`, "utf8").matchAll(/\bpath: "([^"]+)"/g)].map(([, path]) => path);

/** Further views: pages that depend on the query, and pages about what is not there. */
export const VARIANTS = [
  "/compare?a=:runId&b=:runId", "/compare?run=:runId&run=:otherRunId", "/compare?run=run_0000000000000000&run=:runId",
  "/new?preset=pachot-2019-quick", "/new?experiment=:experimentId", "/new?experiment=exp_0000000000000000",
  "/runs/run_0000000000000000", "/experiments/exp_0000000000000000/history", "/shared#nothing", "/x/nothing",
  "/library?q=nothing-has-this-name", "/runs/:activeRunId", "/run-groups/:activeGroupId",
];

/** Pages for people without a session. */
export const isForGuests = (route) => /^\/(shared|x\/|sign-in|invitation)/.test(route);

/** The address of a route with the ids of known records; throws for a parameter without a value. */
export function addressOf(route, known) {
  if (route === "*") return "/no/such/page";
  if (route === "/shared") return `/shared#${known.token}`;
  if (route === "/x/:token") return `/x/${known.posted}`;
  return route.replace(/:(\w+)/g, (_, name) => {
    if (!known[name]) throw new Error(`no value of :${name} in ${route}`);
    return encodeURIComponent(known[name]);
  });
}

/** The seed of the choice of combinations: PLIMSOLL_VIEWS_SEED, else the commit, so that every change sees others. */
export function viewsSeed() {
  if (process.env.PLIMSOLL_VIEWS_SEED) return process.env.PLIMSOLL_VIEWS_SEED;
  return execFileSync("git", ["-c", "safe.directory=*", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], { encoding: "utf8" }).trim();
}

/** One combination for each route: the same for the same seed, and each combination as often as the others (one more or less). */
export function chooseCombinations(routes, seed) {
  const rank = (route) => createHash("sha256").update(`${seed} ${route}`).digest("hex");
  const drawn = routes.map((route) => [rank(route), route]).sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(drawn.map(([, route], place) => [route, COMBINATIONS[place % COMBINATIONS.length]]));
}
