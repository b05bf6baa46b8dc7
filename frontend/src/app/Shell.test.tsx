import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Shell } from "./Shell";

function show(at: string) {
  const router = createMemoryRouter(
    [{ element: <Shell />, children: [{ path: "*", element: <><nav aria-label="Breadcrumb"><a href="/parent">up</a></nav><button type="button">chip</button><label><input type="checkbox" />box</label><p>text</p></> }] }],
    { initialEntries: [at] },
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("scrollTo", vi.fn());
});
afterEach(() => {
  cleanup();
  window.location.hash = "";
  vi.unstubAllGlobals();
});

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
  });

  it("runs a shortcut while no control has the focus", () => {
    const router = show("/compare");
    fireEvent.keyDown(screen.getByText("text"), { key: "n" });
    expect(router.state.location.pathname).toBe("/new");
  });
});
