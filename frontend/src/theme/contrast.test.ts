import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("src/theme/tokens.css", "utf8");
const SURFACES = ["bg", "surface", "surface-2", "surface-3", "accent-soft", "good-soft", "bad-soft", "warn-soft"];
const TEXTS = ["ink", "ink-2", "ink-3", "accent", "good", "bad", "warn"];

/** The colour of a token in the light or the dark theme, as #rrggbb. */
function colour(token: string, theme: number): string {
  const found = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  if (!found) throw new Error(`tokens.css has no --${token}`);
  return found[theme + 1] ?? "";
}

/** The relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each([["light", 0], ["dark", 1]] as const)("each text colour is readable on each surface, %s (AAA)", (_, theme) => {
  const low = TEXTS.flatMap((text) => SURFACES.map((surface) => ({ pair: `${text} on ${surface}`, value: contrast(colour(text, theme), colour(surface, theme)) })));
  low.push({ pair: "accent-ink on accent", value: contrast(colour("accent-ink", theme), colour("accent", theme)) });
  expect(low.filter(({ value }) => value < 7)).toEqual([]);
});

/** A colour mixed with the surface as `color-mix(in srgb, …)` does. */
function mixed(token: string, share: number, theme: number): string {
  const at = (hex: string, place: number) => Number.parseInt(hex.slice(place, place + 2), 16);
  const [over, under] = [colour(token, theme), colour("surface", theme)];
  return `#${[1, 3, 5].map((place) => Math.round(share * at(over, place) + (1 - share) * at(under, place)).toString(16).padStart(2, "0")).join("")}`;
}

/** Shares as in the style sheets of the pivot table and of the flame graph. */
const TINTS = [
  ...["series-0", "series-1"].map((token) => ({ token, share: 0.34 })),
  ...["role-client", "role-server", "role-proxy", "role-kernel", "role-other"].map((token) => ({ token, share: 0.28 })),
];

test.each([["light", 0], ["dark", 1]] as const)("text is readable on the tints of charts, %s (AAA)", (_, theme) => {
  const low = TINTS.map(({ token, share }) => ({ token, value: contrast(colour("ink", theme), mixed(token, share, theme)) }));
  expect(low.filter(({ value }) => value < 7)).toEqual([]);
});
