/** Finds English that is left on a page in Chinese. */
const ATTRIBUTES = ["aria-label", "aria-description", "title", "alt", "placeholder"];
const WORDS = /[A-Za-z][A-Za-z'’-]+(?:[ ,;:]+[A-Za-z][A-Za-z'’-]+){2,}/;

/** Returns the texts and names of elements that have three Latin words one after the other, without code and links to files. */
export function latinTexts(root: Element): string[] {
  const found = new Set<string>();
  const take = (text: string | null) => text && WORDS.test(text) && found.add(text.trim().replaceAll(/\s+/g, " "));
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.closest("code, pre, script, style, textarea")) continue;
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) take(node.textContent);
    for (const name of ATTRIBUTES) take(element.getAttribute(name));
  }
  return [...found];
}

/** Returns an answer whose sentences are Chinese: what is English then, the page has written. */
export function withoutEnglish<T>(answer: T): T {
  if (typeof answer === "string") return (WORDS.test(answer) ? "中文" : answer) as T;
  if (Array.isArray(answer)) return answer.map((item) => withoutEnglish<unknown>(item)) as T;
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withoutEnglish<unknown>(value)])) as T;
}
