import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { MarkdownText } from "./MarkdownText";

afterEach(cleanup);

it("shows the text as written until its parser is loaded", async () => {
  render(<MarkdownText text="kernel **6.1**" />);
  expect(screen.getByText("kernel **6.1**")).toBeTruthy();
  expect((await screen.findByText("6.1")).tagName).toBe("STRONG");
});
