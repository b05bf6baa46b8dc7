import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { RunActions } from "./RunActions";
import { RunNotes } from "./RunNotes";

const PROGRESS = { total: 100, done: 100, failed: 0, running: 0, cancelled: 0, skipped: 0, eta_s: null };
const RUN = { id: "r", experiment_id: "e", title: "A run", state: "done", host: "h", origin: "measured", progress: PROGRESS, note: "kernel **6.1**", tags: ["ci"] } as unknown as Run;

function serveAs(permissions: readonly string[], changed: unknown = { id: "r", note: "new", tags: ["a", "b"] }) {
  return serve(({ path, method }) => {
    if (path.endsWith("/session")) return { permissions };
    if (method === "DELETE") return new Response(null, { status: 204 });
    return method === "PATCH" ? changed : { data: [] };
  });
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
    this.open = false;
  };
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("DeleteDialog", () => {
  it("deletes an ended run after a question, and opens the start page", async () => {
    const sent = serveAs(["read", "write"]);
    showAt("/runs/r", { "/runs/r": <RunActions run={RUN} />, "/": <p>Start page</p> });
    fireEvent.click(await screen.findByRole("button", { name: "More actions" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Delete this run…" }));
    expect(screen.getByText(/with 100 trials, all results and raw output is deleted/)).toBeTruthy();
    expect(screen.getByText("deleteRun").closest("p")!.textContent).toBe("The audit log keeps one entry deleteRun: who deleted it, and when.");
    expect(sent.some(({ method }) => method === "DELETE")).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "Delete for good" }));
    expect(await screen.findByText("Start page")).toBeTruthy();
    expect(sent.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual(["/api/v1/runs/r"]);
  });
});

describe("RunNotes", () => {
  it("shows the note's Markdown, and replaces note and tags", async () => {
    const sent = serveAs(["read", "write"]);
    showAt("/", { "/": <RunNotes run={RUN} /> });
    expect((await screen.findByText("6.1")).tagName).toBe("STRONG");
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Note"), { target: { value: "new" } });
    fireEvent.change(screen.getByLabelText("Tags"), { target: { value: " b, a " } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("button", { name: "Edit" })).toBeTruthy();
    expect(sent.find(({ method }) => method === "PATCH")?.body).toEqual({ note: "new", tags: ["b", "a"] });
  });

  it("shows a refused tag at its field", async () => {
    serveAs(["read", "write"], refusal(422, { title: "Invalid", detail: "x", code: "invalid", errors: [{ pointer: "/tags/0", code: "string_pattern_mismatch", detail: "not a tag" }] }));
    showAt("/", { "/": <RunNotes run={RUN} /> });
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText(/not a tag/)).toBeTruthy();
  });
});
