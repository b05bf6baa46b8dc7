/** Notes of runs, edited in the library. */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LibraryRun } from "@/api/generated";
import { libraryRun } from "@/testing/libraryRuns";
import { typeInto } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { LibraryPage } from "./LibraryPage";

/** The list has the beginning of a note only. */
const FULL = "# Night\nkernel 6.1";
let runs: LibraryRun[];
let notes: Record<string, string>;
let refused: boolean;
let requests: SentRequest[];

function answer({ path, method, body, query }: SentRequest): unknown {
  const [, id = ""] = /\/runs\/(run_\d)$/.exec(path) ?? [];
  if (method === "PATCH") {
    if (refused) return refusal(503, { title: "Out of order", detail: "the database does not answer", code: "unavailable" });
    notes = { ...notes, [id]: (body as { note: string }).note };
    return { id, note: notes[id], tags: [] };
  }
  if (id) return { ...libraryRun(1), id, note: notes[id] ?? "" };
  if (path.endsWith("/library")) {
    const data = (query.get("q") ? [] : runs).map((run) => ({ ...run, note: (notes[run.id] ?? "").slice(0, 7) }));
    return { data, next_cursor: null, total: data.length, problems: [] };
  }
  return path.endsWith("/stars") ? { runs: [], experiments: [] } : { data: [] };
}

function show(role: "viewer" | "runner" = "runner") {
  requests = serve(answer);
  showAt("/library", { "/library": <LibraryPage /> }, undefined, sessionOf(role));
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; this.dispatchEvent(new Event("close")); } });
  refused = false;
  notes = { run_2: FULL };
  runs = [libraryRun(2), libraryRun(1)];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
const saved = () => requests.filter(({ method }) => method === "PATCH").map(({ path, body }) => [path, body]);
const escape = () => screen.getByRole<HTMLDialogElement>("dialog").close();

describe("note of a run in the library", () => {
  it("is edited whole, though the list has its beginning, and is shown at once", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Edit the note of Run 2" }));
    await waitFor(() => expect(text().value).toBe(FULL));
    expect(document.activeElement).toBe(text());
    fireEvent.change(text(), { target: { value: "Day\nkernel 6.12" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Note: Day")).toBeTruthy();
    expect(saved()).toEqual([["/api/v1/runs/run_2", { note: "Day\nkernel 6.12" }]]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("heading", { level: 1, name: "Library" })).toBeTruthy();
  });

  it("is written by keyboard: j, then m", async () => {
    show();
    await screen.findByText("Run 2");
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    press("j");
    press("j");
    press("m");
    expect(await screen.findByRole("dialog", { name: "Note: Run 1" })).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(text()));
    fireEvent.change(text(), { target: { value: "first" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Note: first")).toBeTruthy();
  });

  it("keeps what was typed after a failed save, also where the dialog is closed and the row is gone", async () => {
    refused = true;
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Add a note to Run 1" }));
    await screen.findByRole("textbox", { name: "Note" });
    fireEvent.change(text(), { target: { value: "an hour of work" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toContain("the database does not answer");
    expect(text().value).toBe("an hour of work");
    escape();
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Note" })).toBeNull());
    const search = screen.getByRole("combobox", { name: "Search runs" });
    typeInto(search, "nothing");
    await waitFor(() => expect(screen.queryByText("Run 1")).toBeNull());
    typeInto(search, "");
    fireEvent.click(await screen.findByRole("button", { name: "Add a note to Run 1" }));
    expect(text().value).toBe("an hour of work");
    refused = false;
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Note: an hour")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Edit the note of Run 1" }));
    fireEvent.change(await screen.findByRole("textbox", { name: "Note" }), { target: { value: "thrown away" } });
    fireEvent.click(screen.getByRole("button", { name: "Discard" }));
    fireEvent.click(await screen.findByRole("button", { name: "Edit the note of Run 1" }));
    await waitFor(() => expect(text().value).toBe("an hour of work"));
  });

  it("says that it could not be read, and does not offer an empty one in its place", async () => {
    show();
    await screen.findByText("Run 2");
    requests = serve((request) => (/\/runs\/run_2$/.test(request.path) ? refusal(500, { title: "Out of order", detail: "broken", code: "broken" }) : answer(request)));
    fireEvent.click(screen.getByRole("button", { name: "Edit the note of Run 2" }));
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByRole("alert")).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Note" })).toBeNull();
    requests = serve(answer);
    fireEvent.click(within(dialog).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(text().value).toBe(FULL));
  });

  it("is only read by a viewer", async () => {
    show("viewer");
    expect(await screen.findByText("Note: Night")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /note/ })).toBeNull();
  });
});
