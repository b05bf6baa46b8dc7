/** Uses menus and comboboxes as a person does. */
import { fireEvent } from "@testing-library/react";

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
