/** Names in little room: as much of each as fits, and no two that seem equal. Pure. */
import { charactersOf } from "./textWidth";

/** How much of what stays of a name that is too long is its beginning: the first with which all differ. */
const SHARES = [1, 0.5, 0.7, 0.3, 0.85, 0.15];
/** Pixels of a Latin character; a Chinese one has twice as many. */
const CHARACTER = 6.3;

/** Returns each name in at most `width` pixels; of names that are too long and begin alike, the middle is left out. */
export function fittedNames(names: readonly string[], width: number): string[] {
  const most = Math.max(8, Math.floor(width / CHARACTER));
  const different = new Set(names).size;
  for (const share of SHARES) {
    const found = names.map((name) => cut(name, most, share));
    if (new Set(found).size === different) return found;
  }
  const places = new Map([...new Set(names)].map((name, index) => [name, index + 1]));
  return names.map((name) => cut(`${name} (${places.get(name)})`, most, 0.5));
}

function cut(name: string, most: number, share: number): string {
  if (charactersOf(name) <= most) return name;
  const head = start([...name], Math.floor((most - 1) * share));
  const tail = start([...name].reverse(), most - 1 - charactersOf(head));
  return `${head.trimEnd()}…${share === 1 ? "" : [...tail].reverse().join("").trimStart()}`;
}

/** The first characters that fit. */
function start(characters: readonly string[], room: number): string {
  let text = "";
  for (const character of characters) {
    if (charactersOf(text + character) > room) break;
    text += character;
  }
  return text;
}
