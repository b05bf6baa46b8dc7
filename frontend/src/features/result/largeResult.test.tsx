import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { ResultView } from "./ResultView";

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(address: string) {
  const model = chartModel("measured");
  const cells = Array.from({ length: 130 }, (_, at) => ({ ...model.cells[0]!, id: `c${at}` }));
  const links = { cell: () => "/", round: () => "/", host: "/hosts/h", open: () => undefined, image: () => () => "/" };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[address]}>
        <ResultView model={{ ...model, cells }} links={links} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const table = () => screen.queryByRole("table", { name: /^Every cell/ });

it("renders no section of a large result that is far outside of the visible part", () => {
  show("/runs/r");
  expect(table()).toBeNull();
});

it("renders all of it for an address that names a section, which then has its position", () => {
  show("/runs/r#result-environment");
  expect(table()).not.toBeNull();
});

it("renders all of it for a link of the contents", () => {
  show("/runs/r");
  fireEvent.click(screen.getAllByRole("link", { name: "Where it was measured" })[0]!);
  expect(table()).not.toBeNull();
});
