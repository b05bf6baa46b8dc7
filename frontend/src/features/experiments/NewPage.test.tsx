import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keys } from "@/api/queryKeys";
import { VOCABULARY } from "@/testing/vocabulary";
import { NewPage } from "./NewPage";

const DEFINITION = { name: "two", title: "Two", factors: { path: ["same_container"], clients: [5] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"] };
const PRESET = { name: "two", title: "Two paths", summary: "Two.", study: "s", form: "quick", definition: DEFINITION };
const ANSWERS: Record<string, unknown> = { "/factors": VOCABULARY, "/presets": { data: [PRESET] }, "/hosts": { data: [] }, "/experiments/exp_1": { id: "exp_1", title: "Two", definition: DEFINITION } };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("NewPage", () => {
  it.each([
    ["/new?preset=two", keys.presets],
    ["/new?preset=two", keys.factors],
    ["/new?experiment=exp_1", keys.experiment("exp_1")],
  ])("keeps what was typed when a later request fails: %s, %j", async (at, key) => {
    let fails = false;
    vi.stubGlobal("fetch", (url: string) => {
      const [, body] = Object.entries(ANSWERS).find(([path]) => url.split("?")[0]!.endsWith(path)) ?? [];
      return Promise.resolve(new Response(JSON.stringify(fails || body === undefined ? { title: "Broken", status: 500 } : body), { status: fails || body === undefined ? 500 : 200 }));
    });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[at]}>
          <NewPage />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    fireEvent.change(await screen.findByLabelText("Rounds"), { target: { value: "77" } });
    fails = true;
    await client.invalidateQueries({ queryKey: key });
    await waitFor(() => expect(client.getQueryState(key)?.status).toBe("error"));
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("77");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
