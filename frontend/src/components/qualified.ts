/** A sentence without the qualification that it ends with: the page shows it once, beside the sentence. */
export function without(sentence: string, qualification: string | null | undefined): string {
  return qualification && sentence.endsWith(qualification) ? sentence.slice(0, -qualification.length).trimEnd() : sentence;
}
