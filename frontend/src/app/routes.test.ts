import { readFileSync } from "node:fs";
import type { RouteObject } from "react-router";
import { expect, it } from "vitest";
import { ROUTES } from "./routes";

function pathsOf(routes: RouteObject[]): string[] {
  return routes.flatMap(({ path, children }) => [...(path === undefined ? [] : [path]), ...pathsOf(children ?? [])]);
}

function leaves(routes: RouteObject[]): RouteObject[] {
  return routes.flatMap((route) => (route.children ? leaves(route.children) : [route]));
}

// tests/browser/lib/views.mjs reads the paths from the text of routes.tsx: the walk in Chromium visits each of them.
it("has every path where the browser tests read it", () => {
  const text = readFileSync("src/app/routes.tsx", "utf8");
  const read = [...text.matchAll(/\bpath: "([^"]+)"/g)].map(([, path]) => path);
  expect(read).toEqual(pathsOf(ROUTES));
  expect(leaves(ROUTES).every(({ path }) => path !== undefined)).toBe(true);
});
