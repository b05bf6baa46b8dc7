import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { queries } from "@/api/queries";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { NewPage } from "./NewPage";

const DEFINITION = { name: "two", title: "Two", factors: { path: ["same_container"], clients: [5] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"] };
const PRESET = { name: "two", title: "Two paths", summary: "Two.", study: "s", form: "quick", definition: DEFINITION };
const ANSWERS: Record<string, unknown> = { "/factors": VOCABULARY, "/presets": { data: [PRESET] }, "/hosts": { data: [] }, "/experiments/exp_1": { id: "exp_1", title: "Two", definition: DEFINITION } };

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("NewPage", () => {
  it.each([
    ["/new?preset=two", queries.presets().queryKey],
    ["/new?preset=two", queries.factors().queryKey],
    ["/new?experiment=exp_1", queries.experiment("exp_1").queryKey],
  ])("keeps what was typed when a later request fails: %s, %j", async (at, key) => {
    let fails = false;
    serve(({ path }) => {
      const [, body] = Object.entries(ANSWERS).find(([end]) => path.endsWith(end)) ?? [];
      return fails || body === undefined ? refusal(500, { title: "Broken" }) : body;
    });
    const client = showAt(at, { "/new": <NewPage /> });
    fireEvent.change(await screen.findByLabelText("Rounds"), { target: { value: "77" } });
    fails = true;
    await client.invalidateQueries({ queryKey: key });
    await waitFor(() => expect(client.getQueryState(key)?.status).toBe("error"));
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("77");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it.each([
    ["near", /stores 9\.8 GB of 10 GB\. At the limit no run can be started/],
    ["reached", /No run can be started until something is deleted/],
  ])("warns before a run where the storage is %s", async (level, text) => {
    const stored = { quota: "stored_bytes", limit: 10_000_000_000, used: 9_800_000_000, unit: "bytes", level };
    serve(({ path }) => Object.entries({ ...ANSWERS, "/usage": { data: [stored] } }).find(([end]) => path.endsWith(end))?.[1] ?? refusal(404, { title: "None" }));
    showAt("/new", { "/new": <NewPage /> });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole("link", { name: "usage and largest runs" })).toBeTruthy();
  });

  it("opens the draft of an experiment that was deleted", async () => {
    const kept = JSON.stringify({ text: "title: Typed before\n", good: null, at: 1 });
    localStorage.setItem("plimsoll draft  experiment:exp_2 another-tab", kept);
    serve(({ path }) => Object.entries(ANSWERS).find(([end]) => path.endsWith(end))?.[1] ?? refusal(404, { title: "No such experiment", code: "not_found" }));
    showAt("/new?experiment=exp_2", { "/new": <NewPage /> });
    expect(await screen.findByText(/may have been deleted/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /^Continue the draft/ }));
    expect(await screen.findByDisplayValue("Typed before")).toBeTruthy();
  });
});
