import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import type * as Messages from "@/messages";
import { chartModel } from "@/testing/chartModel";
import { refusal, serve } from "@/testing/server";
import { RunPage } from "./RunPage";

const connection = vi.hoisted(() => ({ down: true }));
// The first import is refused as by a browser without a connection.
vi.mock("@/messages", async (original) => {
  const real = await original<typeof Messages>();
  return {
    ...real,
    withMessages: async (module: Promise<unknown>) => {
      if (connection.down) throw new TypeError("Failed to fetch dynamically imported module");
      return real.withMessages(module);
    },
  };
});

const PROGRESS = { total: 100, done: 38, failed: 2, running: 0, cancelled: 0, skipped: 0, spared: 0, eta_s: null };
const RUN = { id: "r", experiment_id: "e", title: "A run", state: "done", host: "h", origin: "measured", progress: PROGRESS, current: null, seed: 1, created_at: "2026-11-01T10:00:00Z", started_at: null, finished_at: null, cancel_requested: false };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("keeps a note that is being written when the code of the result cannot be loaded, and loads it again", async () => {
  serve(({ path }) => {
    if (path.endsWith("/r/result")) return { ...chartModel("measured"), state: "done", headline: "It is over." };
    return path.endsWith("/runs/r") ? RUN : refusal(409, { title: "Cannot be read", detail: "Not here." });
  });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={["/runs/r"]}>
        <Routes>
          <Route path="/runs/:runId" element={<RunPage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: /Add a note/ }));
  fireEvent.change(screen.getByRole("textbox", { name: /^Note/ }), { target: { value: "Half a sentence" } });
  const failure = (await screen.findByText("A part of this page could not be loaded")).closest("[role=alert]");
  expect(screen.getByDisplayValue("Half a sentence")).toBeTruthy();
  connection.down = false;
  fireEvent.click(failure?.querySelector("button") as HTMLButtonElement);
  expect(await screen.findByText("It is over.")).toBeTruthy();
  expect(screen.getByDisplayValue("Half a sentence")).toBeTruthy();
});
