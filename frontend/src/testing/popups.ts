/** Uses menus and comboboxes as a person does. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";

/** Presses a button with the mouse. */
export function press(element: HTMLElement): void {
  fireEvent.pointerDown(element, { pointerType: "mouse", button: 0 });
  fireEvent.mouseDown(element, { button: 0 });
  fireEvent.pointerUp(element, { pointerType: "mouse", button: 0 });
  fireEvent.mouseUp(element, { button: 0 });
  fireEvent.click(element, { detail: 1 });
}

/** Puts a text into a combobox as typing does: it opens for typed text only. */
export function typeInto(box: HTMLElement, value: string): void {
  box.focus();
  fireEvent.input(box, { target: { value }, inputType: "insertText" });
}

/** Opens the menu of a chart and closes it again. Returns the addresses of its images by format, as "PNG". */
export async function imagesOf(title: string): Promise<Record<string, string | null>> {
  press(await screen.findByRole("button", { name: `${title}: copy or download` }));
  const menu = await screen.findByRole("menu");
  const items = within(menu).getAllByRole("menuitem", { name: /^Download (PNG|SVG|Markdown)$/ });
  const found = items.filter((item) => item.hasAttribute("href")).map((item) => [item.textContent.replace("Download ", ""), item.getAttribute("href")] as const);
  fireEvent.keyDown(menu, { key: "Escape" });
  await waitFor(() => {
    if (screen.queryByRole("menu")) throw new Error("the menu is still open");
  });
  return Object.fromEntries(found);
}
