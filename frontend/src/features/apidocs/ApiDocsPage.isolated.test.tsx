import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import type { ApiDocument } from "./apiDocument";
import { ApiDocsPage } from "./ApiDocsPage";

// Swagger UI itself is in the test of the browser.
const shown: { document: ApiDocument; canTry: boolean }[] = [];
vi.mock("./swaggerUi", () => ({
  mount: (root: HTMLElement, document: ApiDocument, canTry: boolean) => {
    shown.push({ document, canTry });
    root.textContent = "the viewer";
  },
}));

const DOCUMENT = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as ApiDocument;
let requests: SentRequest[];
const show = (address: string) => showAt(address, { "/api-docs": <ApiDocsPage />, "/account": <p>the account</p> });
const list = () => screen.findByRole("navigation", { name: "Operations" });

beforeEach(() => {
  shown.length = 0;
  requests = serve(({ path }) => (path === "/api/v1/openapi.json" ? DOCUMENT : undefined));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("ApiDocsPage", () => {
  it("says how scripts sign in, and requests nothing but the document", async () => {
    show("/api-docs");
    await list();
    expect(screen.getByRole("heading", { name: "How scripts sign in" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Account → API tokens" }).getAttribute("href")).toBe("/account#tokens");
    expect(screen.getByRole("link", { name: "OpenAPI document" }).getAttribute("href")).toBe("/api/v1/openapi.json");
    expect(requests.map(({ path }) => path)).toEqual(["/api/v1/openapi.json"]);
    expect(shown).toEqual([]);
  });

  it("folds the groups until somebody searches, and opens the first operation on Enter", async () => {
    show("/api-docs");
    const operations = await list();
    expect(operations.querySelectorAll("details[open]")).toHaveLength(0);
    const search = within(operations).getByRole("searchbox", { name: "Search operations" });
    fireEvent.change(search, { target: { value: "cancel a run" } });
    expect(within(operations).getByRole("status").textContent).toMatch(/^\d operations?$/);
    expect(operations.querySelectorAll("details:not([open])")).toHaveLength(0);
    fireEvent.submit(search.closest("form")!);
    expect(await screen.findByRole("heading", { name: "Cancel a run" })).toBeTruthy();
    expect(within(operations).getByRole("link", { current: "page" }).textContent).toBe("POSTCancel a run");
  });

  it("shows an operation with its command line, and the viewer with its part of the document", async () => {
    show("/api-docs?operation=startRun");
    expect(await screen.findByText("the viewer")).toBeTruthy();
    expect(screen.getByText(/scope run:write/)).toBeTruthy();
    expect(screen.getByText(/^curl -X POST/).textContent).toContain("Bearer $PLIMSOLL_TOKEN");
    expect(shown.map(({ document, canTry }) => [Object.keys(document.paths), canTry])).toEqual([[["/api/v1/experiments/{experiment_id}/runs"], false]]);
    expect(document.title).toBe("Start a run · API · Plimsoll");
  });

  it("replaces the viewer with the operation", async () => {
    show("/api-docs?operation=startRun");
    const operations = await list();
    await screen.findByText("the viewer");
    fireEvent.change(within(operations).getByRole("searchbox"), { target: { value: "listRuns" } });
    fireEvent.click(within(operations).getByRole("link", { name: /List runs, newest first/ }));
    await waitFor(() => expect(shown.at(-1)?.canTry).toBe(true));
    expect(screen.getAllByText("the viewer")).toHaveLength(1);
  });

  it("gives no command line for what only a browser may call", async () => {
    show("/api-docs?operation=setPassword");
    expect(await screen.findByText("Only a signed-in browser may call it; no token may.")).toBeTruthy();
    expect(screen.queryByText(/^curl/)).toBeNull();
  });

  it("says that an operation is unknown", async () => {
    show("/api-docs?operation=flyToTheMoon");
    expect(await screen.findByRole("heading", { name: "This server has no operation flyToTheMoon" })).toBeTruthy();
  });
});
