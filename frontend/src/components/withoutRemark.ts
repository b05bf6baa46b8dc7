/** Returns a text without a remark in it that the page shows separately, in the same language. */
export function withoutRemark(text: string, remark: string | null | undefined): string {
  if (!remark || !text.includes(remark)) return text;
  const at = text.indexOf(remark);
  const [before, after] = [text.slice(0, at).trimEnd(), text.slice(at + remark.length).trimStart()];
  // Sentences of languages without spaces follow each other directly.
  return [before, after].filter(Boolean).join(/\s$/.test(text.slice(0, at)) ? " " : "");
}
