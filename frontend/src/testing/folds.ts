/** Opens folded parts of a page as a person does. */
import { fireEvent, screen } from "@testing-library/react";

/** Opens the folded part with this title. */
export function unfold(title: string | RegExp): void {
  const details = screen.getByText(title, { selector: "summary *" }).closest("details");
  if (!details) throw new Error(`no folded part ${title}`);
  details.open = true;
  fireEvent(details, new Event("toggle"));
}

/** Returns the field of the definition as YAML, in its folded part. */
export function openYaml(): HTMLTextAreaElement {
  if (!screen.queryByRole("textbox", { name: "Definition as YAML" })) unfold("YAML, curl, Python");
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML", hidden: true });
}
