/** Chinese characters and punctuation. */
const WIDE = /[\u3000-\u9fff\uff00-\uffef]/g;

/** Returns the width of a text in Latin characters; a Chinese one is twice as wide. */
export function charactersOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}
