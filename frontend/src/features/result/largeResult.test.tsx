import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Still } from "@/testing/render";
import { sweepOf } from "@/testing/sharedRows";
import { ResultView } from "./ResultView";

afterEach(cleanup);

it("draws the first cells of a large result alone, and of its tabs the open one", () => {
  const model = sweepOf(25, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const { container } = render(
    <Still>
      <ResultView model={model} />
    </Still>,
  );
  expect(model.cells).toHaveLength(500);
  expect(container.querySelectorAll("[data-kind=cell]")).toHaveLength(12);
  expect(screen.getByText(/^12 of 500 cells/)).toBeTruthy();
  expect(screen.queryByRole("table", { name: /^Every cell/ })).toBeNull();
});
