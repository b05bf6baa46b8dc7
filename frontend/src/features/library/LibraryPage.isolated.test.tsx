import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LibraryRun, LibraryRunList } from "@/api/generated";
import { libraryRun } from "@/testing/libraryRuns";
import { typeInto } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { LibraryPage } from "./LibraryPage";

let runs: LibraryRun[];
let requests: SentRequest[];
let problems: LibraryRunList["problems"];
let views: object[];
let gone = false;

function answer({ path, query, method }: SentRequest): unknown {
  if (method === "DELETE") return new Response(null, { status: 204 });
  if (path.endsWith("/library/changes")) return gone ? new Response(JSON.stringify({ title: "Not found", status: 404, detail: "there is no run run_3 in this team; nothing was changed" }), { status: 404, headers: { "Content-Type": "application/problem+json" } }) : { runs: 1 };
  if (path.endsWith("/library/terms")) return { data: [{ term: "path:nginx_stream", runs: 2 }] };
  if (path.endsWith("/library/views")) return method === "POST" ? views[0] : { data: views };
  if (path.endsWith("/stars")) return { runs: [], experiments: [] };
  if (path.endsWith("/library")) {
    const q = query.get("q") ?? "";
    const found = runs.filter(({ title }) => q === "" || title.includes(q) || problems.length > 0);
    return { data: found, next_cursor: null, total: found.length, problems };
  }
  return path.includes("/runs/run_") ? { note: "**bold** <script>alert(1)</script> [x](javascript:alert(1))" } : undefined;
}

function show(address = "/library", role: "viewer" | "runner" = "runner") {
  requests = serve(answer);
  showAt(address, { "/library": <LibraryPage /> }, undefined, sessionOf(role));
}

beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  problems = [];
  views = [];
  gone = false;
  runs = [libraryRun(3, { exclusions: [{ reason: "a backup ran", trials: 1 }] }), libraryRun(2, { tags: ["ci"], note: "# Night\nmore" }), libraryRun(1)];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const titles = () => [...document.querySelectorAll("[data-row-link]")].map(({ textContent }) => textContent);
const changes = () => requests.filter(({ path }) => path.endsWith("/changes")).map(({ body }) => body);
const searches = () => requests.filter(({ path }) => path.endsWith("/library")).map(({ query }) => query.get("q"));

describe("LibraryPage", () => {
  it("shows its own search as a command and as a program", async () => {
    show(`/library?q=${encodeURIComponent('host:bench-1 "it\'s $HOME" 代价')}`);
    fireEvent.click(await screen.findByRole("button", { name: "curl, Python" }));
    const dialog = screen.getByRole("dialog", { name: "This search by a script" });
    const [, found] = /'(http.*)' \\\n/.exec(within(dialog).getByRole("region").textContent)!;
    const { origin, pathname, searchParams } = new URL(found!.replaceAll("'\\''", "'"));
    const sent = requests.find(({ path }) => path.endsWith("/library"))!;
    expect([origin, pathname]).toEqual([window.location.origin, "/api/v1/library"]);
    expect([...searchParams].sort()).toEqual([...sent.query].sort());
  });

  it("lists runs with verdict and reasons of exclusions, and the number of matches", async () => {
    show();
    const row = (await screen.findByText("Run 3")).closest("li")!;
    expect(row.textContent).toContain("1 trial excluded: a backup ran");
    expect(row.textContent).toContain("−38.3\u00a0%");
    expect(screen.getByText("3 runs")).toBeTruthy();
  });

  it("reads the list again where somebody else has deleted the run meanwhile", async () => {
    show();
    (await screen.findByText("Run 3")).focus();
    gone = true;
    runs = runs.slice(1);
    fireEvent.keyDown(screen.getByText("Run 3"), { key: "e" });
    await waitFor(() => expect(titles()).toEqual(["Run 2", "Run 1"]));
    expect(changes()).toHaveLength(1);
  });

  it("searches what is typed, keeps it in the address and completes the last term", async () => {
    show("/library?q=Run 2");
    await screen.findByText("Run 2");
    expect(titles()).toEqual(["Run 2"]);
    const box = screen.getByRole("combobox", { name: "Search runs" });
    expect((box as HTMLInputElement).value).toBe("Run 2");
    typeInto(box, "Run 1");
    await waitFor(() => expect(titles()).toEqual(["Run 1"]));
    typeInto(box, "Run ngi");
    fireEvent.click(await screen.findByRole("option", { name: "Run path:nginx_stream" }));
    await waitFor(() => expect(searches().at(-1)).toBe("Run path:nginx_stream"));
    expect(await screen.findByText("No run matches")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show all runs" }));
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  it("searches at the first key, without waiting for a pause", async () => {
    show();
    await screen.findByText("Run 3");
    vi.useFakeTimers();
    typeInto(screen.getByRole("combobox", { name: "Search runs" }), "Run 1");
    await act(() => Promise.resolve());
    vi.useRealTimers();
    expect(searches().at(-1)).toBe("Run 1");
  });

  it("names a term that was left out and offers values in its place", async () => {
    problems = [{ term: "verdict:slower", code: "unknown_value", detail: "d", choices: ["better", "worse"] }];
    show("/library?q=Run verdict:slower");
    expect((await screen.findByRole("status", { name: /left out/ })).textContent).toContain("verdict:slower was left out");
    problems = [];
    fireEvent.click(screen.getByRole("button", { name: "worse" }));
    await waitFor(() => expect(searches().at(-1)).toBe("Run verdict:worse"));
  });

  it("adds the tag of a run to the search", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "ci" }));
    await waitFor(() => expect(searches().at(-1)).toBe("tag:ci"));
  });

  it("is used by keyboard alone: j, k, x, s, e and /", async () => {
    show();
    await screen.findByText("Run 3");
    await screen.findByRole("button", { name: "Star Run 3" });
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    press("j");
    expect(document.activeElement?.textContent).toBe("Run 3");
    press("j");
    press("j");
    press("k");
    expect(document.activeElement?.textContent).toBe("Run 2");
    expect(document.activeElement?.getAttribute("href")).toBe("/runs/run_2");
    press("x");
    expect(await screen.findByText("1 selected")).toBeTruthy();
    press("s");
    await waitFor(() => expect(requests.some(({ method, path }) => method === "PUT" && path.endsWith("/runs/run_2/star"))).toBe(true));
    press("e");
    await waitFor(() => expect(changes()).toEqual([{ runs: ["run_2"], archived: true }]));
    press("/");
    expect(document.activeElement?.getAttribute("role")).toBe("combobox");
    press("x");
    expect(screen.getByText("1 selected")).toBeTruthy();
  });

  it("changes several runs at once, and says what a deletion deletes in the audit log's word", async () => {
    show();
    fireEvent.click(await screen.findByRole("checkbox", { name: "Select Run 3" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Select Run 1" }));
    const bar = within(screen.getByRole("region", { name: "Selected runs" }));
    fireEvent.change(bar.getByRole("textbox", { name: "Tag" }), { target: { value: "Night" } });
    fireEvent.click(bar.getByRole("button", { name: "Add the tag" }));
    await waitFor(() => expect(changes()).toEqual([{ runs: ["run_3", "run_1"], add_tags: ["night"] }]));
    fireEvent.click(bar.getByRole("button", { name: "Delete…" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete 2 runs?" });
    expect(within(dialog).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Run 3, on bench-1", "Run 1, on bench-1"]);
    expect(dialog.textContent).toContain("deleteRun");
    fireEvent.click(within(dialog).getByRole("button", { name: "Delete for good" }));
    await waitFor(() => expect(requests.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual(["/api/v1/runs/run_3", "/api/v1/runs/run_1"]));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull());
  });

  it("shows a note as Markdown without HTML and without addresses that run code", async () => {
    show();
    const note = (await screen.findByText("Note: Night")).closest("details")!;
    note.open = true;
    fireEvent(note, new Event("toggle"));
    expect(await within(note).findByText("bold")).toBeTruthy();
    expect(note.querySelector("strong")?.textContent).toBe("bold");
    expect(note.querySelector("script")).toBeNull();
    expect(note.querySelector("a")?.getAttribute("href") ?? "").not.toContain("javascript");
  });

  it("saves the search, opens a saved one, and lets a viewer change nothing of the team", async () => {
    views = [{ id: "viw_1", name: "Slower", query: "verdict:worse", shared: true, own: false, by: "Ada", created_at: "2026-11-20T10:00:00.000Z" }];
    show("/library?q=Run", "viewer");
    fireEvent.click(await screen.findByRole("button", { name: "Save this search" }));
    fireEvent.change(await screen.findByRole("textbox", { name: "Name" }), { target: { value: "Mine" } });
    expect(screen.queryByRole("checkbox", { name: /whole team/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(requests.find(({ method, path }) => method === "POST" && path.endsWith("/views"))?.body).toEqual({ name: "Mine", query: "Run", shared: false }));
    fireEvent.click(screen.getByRole("button", { name: "Slower" }));
    await waitFor(() => expect(searches().at(-1)).toBe("verdict:worse"));
    expect(screen.queryByRole("button", { name: /Delete the saved search/ })).toBeNull();
  });

  it("says that there is no run yet", async () => {
    runs = [];
    show();
    expect(await screen.findByText("No run yet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "New experiment" })).toBeTruthy();
  });
});
