/** Texts that show a posted link's picture elsewhere. */

/** Markdown for a README: the picture, which opens the link. */
export function markdownOf(url: string, title: string): string {
  return `[![${title.replace(/[\\[\]]/g, "\\$&")}](${url}/image.png)](${url})`;
}

/** HTML for a page of another site: the picture in a frame. */
export function frameOf(url: string, title: string): string {
  const text = title.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `<iframe src="${url}/embed" title="${text}" width="800" height="420" style="border:0" loading="lazy"></iframe>`;
}
