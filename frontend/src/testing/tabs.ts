import { fireEvent, screen } from "@testing-library/react";
import { TabBody } from "@/features/result/tabs/TabBody";

// The content of tabs is there when a result is rendered.
await TabBody.preload();

/** Opens a tab by the beginning of its name. */
export function openTab(name: string): void {
  fireEvent.click(screen.getByRole("tab", { name: new RegExp(`^${name}`) }));
}
