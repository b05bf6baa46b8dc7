/** A sentence without the qualification that it ends with: the page shows that beside it, once. */
export function without(sentence: string, qualification: string | null | undefined): string {
  return qualification && sentence.endsWith(qualification) ? sentence.slice(0, -qualification.length).trimEnd() : sentence;
}
