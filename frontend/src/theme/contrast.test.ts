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
