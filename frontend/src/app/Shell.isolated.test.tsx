import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Fragment } from "react";
import { createMemoryRouter, RouterProvider, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectionFound, connectionLost } from "@/api/connection";
import { libraryRun } from "@/testing/libraryRuns";
import { press, typeInto } from "@/testing/popups";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { Shell } from "./Shell";

function Page() {
  const { pathname } = useLocation();
  return (
    <Fragment key={pathname}>
      <nav data-breadcrumb>
        <a href="/parent">up</a>
      </nav>
      <h1>Page {pathname}</h1>
      <div data-page-actions>
        <button type="button" onClick={shared}>
          Share
        </button>
      </div>
      <button type="button">chip</button>
      <label>
        <input type="checkbox" />
        box
      </label>
      <p>text</p>
    </Fragment>
  );
}

const shared = vi.fn();

function show(at: string) {
  const router = createMemoryRouter([{ element: <Shell />, children: [{ path: "*", element: <Page /> }] }], { initialEntries: [at] });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("scrollTo", vi.fn());
  shared.mockClear();
  serve(answer);
  // jsdom draws no dialogs.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  cleanup();
  window.location.hash = "";
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The library has ten thousand runs; an empty search has the newest ones only. */
function answer({ path, query }: SentRequest) {
  if (path.endsWith("/library")) {
    const [q, limit] = [query.get("q") ?? "", Number(query.get("limit"))];
    if (q === "") return { data: Array.from({ length: limit }, (_, index) => libraryRun(10_000 - index)), next_cursor: "c", total: 1000, problems: [] };
    const found = ["kernel bench", "clients:16 -tag:ci"].includes(q) ? [libraryRun(1, { title: "Docker 28 against 27", tags: ["kernel"] })] : [];
    return { data: found, next_cursor: null, total: found.length, problems: q === "pth:x" ? [{ term: "pth:x", code: "unknown_key", detail: "d", choices: [] }] : [] };
  }
  if (path.endsWith("/hosts")) return { data: [{ name: "bench-1" }] };
  if (path.endsWith("/presets")) return { data: [] };
  return undefined;
}

describe("Shell", () => {
  it("moves the focus to the content and keeps the address, whose fragment may be a share token", () => {
    window.location.hash = "#secret";
    show("/shared#secret");
    const skip = screen.getByRole("link", { name: "To the content" });
    expect(fireEvent.click(skip)).toBe(false);
    expect(window.location.hash).toBe("#secret");
    expect(document.activeElement).toBe(screen.getByRole("main"));
  });

  it.each(["/", "/shared", "/x/abc"])("states on %s that the connection is not encrypted", (at) => {
    vi.stubGlobal("isSecureContext", false);
    show(at);
    expect(screen.getByRole("note", { name: "Connection" }).textContent).toMatch(/^Not encrypted\./);
  });

  it("states nothing about the connection by https and on this machine", () => {
    vi.stubGlobal("isSecureContext", true);
    show("/");
    expect(screen.queryByText("Not encrypted.")).toBeNull();
  });

  it.each(["n", "?", "u"])("ignores the shortcut “%s” while a control has the focus", (key) => {
    const router = show("/compare");
    const up = vi.fn((event: Event) => event.preventDefault());
    screen.getByRole("link", { name: "up" }).addEventListener("click", up);
    fireEvent.keyDown(screen.getByRole("button", { name: "chip" }), { key });
    fireEvent.keyDown(screen.getByRole("checkbox"), { key });
    expect(router.state.location.pathname).toBe("/compare");
    expect(up).not.toHaveBeenCalled();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("runs a shortcut of one key, and of two in a row", async () => {
    const router = show("/compare");
    fireEvent.keyDown(screen.getByText("text"), { key: "n" });
    expect(router.state.location.pathname).toBe("/new");
    fireEvent.keyDown(screen.getByText("text"), { key: "g" });
    fireEvent.keyDown(screen.getByText("text"), { key: "o" });
    await waitFor(() => expect(router.state.location.pathname).toBe("/hosts"));
  });

  it("has no shortcuts on a shared page", () => {
    const router = show("/shared");
    fireEvent.keyDown(screen.getByText("text"), { key: "n" });
    expect(router.state.location.pathname).toBe("/shared");
  });

  it("lists the shortcuts of the page at ?, and switches single keys off, but not the palette", async () => {
    const router = show("/compare");
    fireEvent.keyDown(screen.getByText("text"), { key: "?" });
    const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(dialog.textContent).toMatch(/n.*New experiment/);
    fireEvent.click(screen.getByRole("checkbox", { name: "Shortcuts of single keys" }));
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    fireEvent.keyDown(screen.getByText("text"), { key: "n" });
    expect(router.state.location.pathname).toBe("/compare");
    fireEvent.keyDown(screen.getByText("text"), { key: "k", ctrlKey: true });
    await screen.findByRole("dialog", { name: "Search" });
  });

  it("moves the focus to the heading of the page that was opened, and states its title", async () => {
    const router = show("/compare");
    document.title = "Hosts · Plimsoll";
    await act(() => router.navigate("/hosts"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1, name: "Page /hosts" })));
    expect(screen.getAllByRole("status").map((each) => each.textContent)).toContain("Hosts · Plimsoll");
    await act(() => router.navigate("/hosts?filter=1"));
    screen.getByRole("button", { name: "chip" }).focus();
    await act(() => router.navigate("/hosts?filter=2"));
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "chip" }));
  });

  it("states that the connection is lost, and that it is back", () => {
    vi.stubGlobal("isSecureContext", true);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    show("/compare");
    act(connectionLost);
    expect(screen.getByRole("alert").textContent).toMatch(/^Connection lost/);
    act(connectionFound);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("The connection is back.").closest("[role=status]")).not.toBeNull();
  });

  it("opens the menu of pages by its button; Escape closes it and gives the focus back", async () => {
    show("/compare");
    const button = screen.getByRole("button", { name: "Menu" });
    button.focus();
    fireEvent.click(button);
    expect((await screen.findByRole("menuitem", { name: "Compare" })).getAttribute("aria-current")).toBe("page");
    expect(button.getAttribute("aria-expanded")).toBe("true");
    fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("chooses the theme in the menu of a page without an account", async () => {
    show("/shared");
    press(screen.getByRole("button", { name: "Display" }));
    fireEvent.click(await screen.findByRole("menuitemradio", { name: "Dark" }));
    expect(document.documentElement.dataset.theme).toBe("dark");
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  });

  describe("command palette", () => {
    async function search(text: string) {
      const box = await screen.findByRole("combobox", { name: "Search" });
      typeInto(box, text);
      return box;
    }
    const options = () => screen.getAllByRole("option").map((option) => option.textContent);
    const open = () => fireEvent.keyDown(document.body, { key: "k", metaKey: true });

    it("lists the actions of the page first, and runs one by Enter", async () => {
      show("/compare");
      open();
      const box = await search("shar");
      await waitFor(() => expect(options()).toEqual(["Share"]));
      fireEvent.keyDown(box, { key: "Enter" });
      await waitFor(() => expect(shared).toHaveBeenCalledTimes(1));
      expect(screen.queryByRole("combobox")).toBeNull();
    });

    it("finds runs by title, tag and host, and opens one", async () => {
      const router = show("/compare");
      open();
      const box = await search("kernel bench");
      await waitFor(() => expect(options()[0]).toMatch(/^Docker 28 against 27/));
      fireEvent.keyDown(box, { key: "Enter" });
      await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_1"));
    });

    it("finds the oldest of ten thousand runs by terms of the library, and says what it did not understand", async () => {
      show("/compare");
      open();
      await waitFor(() => expect(options().some((text) => text.startsWith("Run 10000"))).toBe(true));
      await search("clients:16 -tag:ci");
      await waitFor(() => expect(options()).toEqual([expect.stringMatching(/^Docker 28 against 27/)]));
      await waitFor(() => expect(screen.getAllByRole("status").map((each) => each.textContent)).toContain("1 result"));
      await search("pth:x");
      await screen.findByText("Left out of the search: pth:x");
    });

    it("opens pages, and says that nothing was found", async () => {
      const router = show("/compare");
      open();
      const box = await search("zzzz");
      await screen.findByText("Nothing found");
      typeInto(box, "hosts");
      await waitFor(() => expect(options()[0]).toMatch(/^Hosts/));
      fireEvent.click(screen.getAllByRole("option")[0]!);
      await waitFor(() => expect(router.state.location.pathname).toBe("/hosts"));
    });

    it("lists pages and actions where the server does not answer", async () => {
      serve(() => refusal(500, { title: "Failed" }));
      show("/compare");
      open();
      await search("h");
      await screen.findByText(/The server's answer is missing/);
      expect(options().length).toBeGreaterThan(1);
    });
  });
});
