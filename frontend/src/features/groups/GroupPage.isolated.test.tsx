import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOSTS_RESULT, RUN_GROUP } from "@/testing/hostsResult";
import { imagesOf } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { GroupPage } from "./GroupPage";

let sent: SentRequest[];
let group = RUN_GROUP;

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () { this.open = true; };
  HTMLDialogElement.prototype.close = function () { this.open = false; };
  group = RUN_GROUP;
  sent = serve(({ method, path }) => {
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (method === "POST") return { ...group, members: group.members.map((member) => ({ ...member, cancel_requested: true })) };
    if (path.endsWith("/result")) return HOSTS_RESULT;
    return path.endsWith("/run-groups/grp_1") ? group : refusal(404, { title: "Not found", code: "not_found" });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(address = "/run-groups/grp_1", role: "runner" | "viewer" = "runner") {
  showAt(address, { "/run-groups/:groupId": <GroupPage />, "/run-groups": <p>the list</p> }, undefined, sessionOf(role));
}

describe("GroupPage", () => {
  it("shows what differs between the hosts before the figures, and minor differences on request", async () => {
    show();
    await screen.findByRole("heading", { name: "Ratios to each host’s own baseline" });
    const text = document.body.textContent;
    expect(text.indexOf("The hosts differ in kernel.")).toBeLessThan(text.indexOf("Hosts disagree about 1 of 2 cells."));
    expect(text.indexOf("Hosts disagree about 1 of 2 cells.")).toBeLessThan(text.indexOf("Ratios to each host’s own baseline"));
    const table = screen.getByRole("region", { name: "How the hosts differ" });
    expect(within(table).getByText("6.18")).toBeTruthy();
    expect(within(table).queryByText(/Memory/i)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show 1 minor difference" }));
    expect(within(table).getByText(/memory/i)).toBeTruthy();
  });

  it("shows each ratio side by side with its host, as a chart and as a table", async () => {
    show();
    await screen.findByRole("img", { name: /published: bench-1 0\.900× \(0\.880 – 0\.920\), bench-2 0\.720×/ });
    const table = screen.getByRole("table", { name: "transactions per second on each host" });
    const rows = within(table).getAllByRole("row").map((row) => row.textContent);
    expect(rows.some((row) => row.startsWith("bench-2") && row.includes("0.720×"))).toBe(true);
    expect(within(table).getByText("no macvlan in the kernel")).toBeTruthy();
    expect(within(table).getByText(/Cochran’s Q 21\.4 with 1 degrees of/)).toBeTruthy();
    expect(screen.getByRole("columnheader", { name: /95 % simultaneous CI of 4 comparisons/ })).toBeTruthy();
  });

  it("requests another metric", async () => {
    show();
    fireEvent.change(await screen.findByRole("combobox", { name: "Metric of all hosts" }), { target: { value: "cpu_us_per_txn" } });
    await waitFor(() => expect(sent.at(-1)?.url).toContain("metric=cpu_us_per_txn"));
  });

  it("links each run, also says which was deleted, and cancels all in progress", async () => {
    show();
    const runs = await screen.findByRole("region", { name: "Runs of the group" });
    expect(within(runs).getAllByRole("link", { name: "Open the run" }).map((link) => link.getAttribute("href"))).toEqual(["/runs/run_1", "/runs/run_2"]);
    expect(within(runs).getByText("its run was deleted")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Cancel all runs" }));
    const dialog = screen.getByRole("dialog", { name: "Cancel these runs?" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Cancel all runs" }));
    expect(await screen.findByRole("button", { name: "Cancelling…" })).toBeTruthy();
    expect(sent.some(({ method, path }) => method === "POST" && path === "/api/v1/run-groups/grp_1:cancel")).toBe(true);
  });

  it("links files and images of the shown metric", async () => {
    show("/run-groups/grp_1?metric=tps");
    expect((await imagesOf("Ratios to each host’s own baseline"))["SVG"]).toBe("/api/v1/run-groups/grp_1/exports/svg?metric=tps&theme=light");
    fireEvent.click(screen.getByRole("button", { name: "Export" }));
    const dialog = screen.getByRole("dialog", { name: "Export this result" });
    const hrefs = within(dialog).getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual(["csv", "json", "markdown?metric=tps"].map((rest) => `/api/v1/run-groups/grp_1/exports/${rest}`));
  });

  it("deletes an ended group with its runs after it says so, and opens the list", async () => {
    group = { ...RUN_GROUP, state: "done", members: RUN_GROUP.members.map((member) => (member.run_id ? { ...member, state: "done" } : member)) };
    show();
    expect(screen.queryByRole("button", { name: "Cancel all runs" })).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
    const dialog = screen.getByRole("dialog", { name: "Delete this group and its runs?" });
    expect(within(dialog).getByText(/its runs \(2\) with their trials \(20\), all results and raw output are deleted/)).toBeTruthy();
    expect(within(dialog).getByText("deleteRunGroup").closest("p")!.textContent).toBe("The audit log keeps one entry deleteRunGroup for the group and none for its runs: who deleted it, and when.");
    fireEvent.click(within(dialog).getByRole("button", { name: "Delete for good" }));
    await waitFor(() => expect(sent.some(({ method, path }) => method === "DELETE" && path === "/api/v1/run-groups/grp_1")).toBe(true));
    await screen.findByText("the list");
  });

  it("offers nothing that changes to an account that only reads", async () => {
    show(undefined, "viewer");
    await screen.findByRole("region", { name: "Runs of the group" });
    for (const name of ["Cancel all runs", "Delete"]) expect(screen.queryByRole("button", { name })).toBeNull();
  });

  it("shows that a group does not exist", async () => {
    show("/run-groups/grp_2");
    expect(await screen.findByRole("heading", { name: "Not found" })).toBeTruthy();
  });
});
