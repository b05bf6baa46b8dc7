/** Returns a sentence without the remark that it ends with, which the page shows separately. */
export function withoutSuffix(sentence: string, remark: string | null | undefined): string {
  return remark && sentence.endsWith(remark) ? sentence.slice(0, -remark.length).trimEnd() : sentence;
}
