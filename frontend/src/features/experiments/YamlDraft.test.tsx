import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseYaml } from "@/components/yaml";
import { openYaml } from "@/testing/folds";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

const DOCUMENT = { name: "two", title: "Two", factors: { path: ["same_container"], clients: [5] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"] };
const HOST = { id: "hst_1", name: "bench-1", online: true, last_seen_at: "", capabilities: {}, cannot: [], environment: {} };
const PLAN = { experiment: DOCUMENT, hops: {}, plan: { cells: [], trials: [{ seq: 1, round: 1, position: 1, cell_id: "c1" }], estimate: { trials: 10, seconds: 20, window_seconds: 10, deployments: 1 }, varied: [], warnings: [] } };
const BROKEN = [
  ["an unknown alias", "name: two\nrounds: *ten\n"],
  ["an alias that repeats itself without end", `a: &a [x, x]\n${Array.from({ length: 12 }, (_, index) => `${"bcdefghijklm"[index]}: &${"bcdefghijklm"[index]} [${`*${"abcdefghijkl"[index]}, `.repeat(9)}]`).join("\n")}\n`],
  ["an unclosed list", "factors: ["],
] as const;

beforeEach(() => {
  serve(({ path }) => (path.endsWith("/hosts") ? { data: [HOST] } : PLAN));
  showAt("/", { "/": <Builder initial={DOCUMENT} factors={VOCABULARY} /> });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const editor = openYaml;
const run = () => screen.getByRole<HTMLButtonElement>("button", { name: "Run on bench-1" });

async function write(text: string) {
  await waitFor(() => expect(run().disabled).toBe(false));
  fireEvent.change(editor(), { target: { value: text } });
}

describe("a YAML text that cannot be parsed", () => {
  it.each(BROKEN)("is reported, and disables the start: %s", async (_name, text) => {
    expect(parseYaml(text)).toHaveProperty("problem");
    await write(text);
    expect(editor().value).toBe(text);
    expect(editor().getAttribute("aria-invalid")).toBe("true");
    expect(run().disabled).toBe(true);
  });

  it("keeps the form as it was, until it is corrected or discarded", async () => {
    await write("factors: [");
    expect(await screen.findByText(/Correct line 1 of the YAML first/)).toBeTruthy();
    expect(screen.getByLabelText("Rounds").closest("fieldset[disabled]")).toBeTruthy();
    expect(run().disabled).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Discard the text since then" }));
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("10");
    await waitFor(() => expect(run().disabled).toBe(false));
  });

  it("is open where a draft has it", async () => {
    await write("factors: [");
    cleanup();
    showAt("/", { "/": <Builder initial={DOCUMENT} factors={VOCABULARY} /> });
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" }).value).toBe("factors: [");
  });

  it("shows the form once it is corrected", async () => {
    await write("factors: [");
    fireEvent.change(editor(), { target: { value: "name: two\ntitle: Two\nfactors: {path: [same_container]}\nrounds: 12\nseed: 1\nbaseline: {path: same_container}\n" } });
    expect(screen.queryByRole("button", { name: /^Discard the text/ })).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>("Rounds").value).toBe("12");
  });
});
