import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toYaml } from "@/components/yaml";
import { openYaml } from "@/testing/folds";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";
import { keep, otherDrafts } from "./drafts";

const DOCUMENT = { name: "two", title: "Two", factors: { path: ["same_container"], clients: [5] }, rounds: 10, seed: 1, baseline: { path: "same_container" }, metrics: ["tps"] };
const PLAN = { experiment: DOCUMENT, hops: {}, plan: { cells: [], trials: [], estimate: { trials: 0, seconds: 20, window_seconds: 10, deployments: 1 }, varied: [], warnings: [] } };
const ANN = { account: { id: "acc_ann" }, permissions: ["read", "write"] };
const BEN = { account: { id: "acc_ben" }, permissions: ["read", "write"] };
const OTHER = "plimsoll draft acc_ann new other-tab";

const open = (session: object = ANN) => showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} /> }, undefined, session as never);
const rounds = () => screen.getByLabelText<HTMLInputElement>("Rounds");
const reopen = (session?: object) => {
  cleanup();
  open(session);
};

beforeEach(() => serve(({ path }) => (path.endsWith("/hosts") ? { data: [] } : PLAN)));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("the draft of a definition", () => {
  it("is restored with its time for the same account, and discarded on request", () => {
    open();
    fireEvent.change(rounds(), { target: { value: "77" } });
    reopen(BEN);
    expect(rounds().value).toBe("10");
    reopen();
    expect(rounds().value).toBe("77");
    expect(screen.getByText(/This is your draft, last changed .*20\d\d/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Discard the draft" }));
    expect(rounds().value).toBe("10");
    reopen();
    expect(rounds().value).toBe("10");
    expect(screen.queryByText(/This is your draft/)).toBeNull();
  });

  it("is kept where it is no YAML, with the last version that was", async () => {
    open();
    fireEvent.change(rounds(), { target: { value: "77" } });
    fireEvent.change(openYaml(), { target: { value: "factors: [" } });
    reopen();
    expect(openYaml().value).toBe("factors: [");
    fireEvent.click(await screen.findByRole("button", { name: "Discard the text since then" }));
    expect(rounds().value).toBe("77");
  });

  it("of another tab is offered, and not overwritten", () => {
    localStorage.setItem(OTHER, JSON.stringify({ text: toYaml({ ...DOCUMENT, title: "Of the other tab", rounds: 33 }), at: 1_700_000_000_000 }));
    open();
    fireEvent.change(rounds(), { target: { value: "77" } });
    expect(localStorage.getItem(OTHER)).toContain("rounds: 33");
    fireEvent.click(screen.getByRole("button", { name: /^Continue the draft of .*2023/ }));
    expect(rounds().value).toBe("33");
    expect(localStorage.getItem(OTHER)).toBeNull();
  });

  it("is kept by the tab that still shows it when another tab takes it", () => {
    open();
    fireEvent.change(rounds(), { target: { value: "77" } });
    const key = Object.keys(localStorage).find((each) => each.startsWith("plimsoll draft acc_ann"))!;
    localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent("storage", { key, newValue: null }));
    expect(localStorage.getItem(key)).toContain("rounds: 77");
  });

  it("says where the browser keeps nothing", async () => {
    open();
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    fireEvent.change(rounds(), { target: { value: "77" } });
    await waitFor(() => expect(screen.getByText(/This browser keeps no draft/)).toBeTruthy());
    full.mockRestore();
  });

  it("goes when 20 others are newer", () => {
    for (let index = 0; index < 30; index += 1) localStorage.setItem(`plimsoll draft acc_ann preset:${index} t`, JSON.stringify({ text: "a", at: index + 1 }));
    keep("acc_ann", "new", "name: a");
    expect(Object.keys(localStorage).filter((key) => key.startsWith("plimsoll draft acc_ann"))).toHaveLength(21);
    expect(otherDrafts("acc_ann", "preset:0")).toEqual([]);
    expect(otherDrafts("acc_ann", "preset:29")).toHaveLength(1);
  });
});
