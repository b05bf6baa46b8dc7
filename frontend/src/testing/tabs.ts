import { fireEvent, screen } from "@testing-library/react";

/** Opens a tab by the beginning of its name. */
export function openTab(name: string): void {
  fireEvent.click(screen.getByRole("tab", { name: new RegExp(`^${name}`) }));
}
