import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { SharedPage } from "./SharedPage";

let requests: SentRequest[];

function show(address: string, answer: unknown) {
  window.location.hash = address.split("#")[1] ?? "";
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  requests = serve(() => answer);
  showAt(address.split("#")[0]!, { "/shared": <SharedPage />, "/x/:token": <SharedPage /> });
}

afterEach(() => {
  cleanup();
  window.location.hash = "";
  vi.unstubAllGlobals();
});

describe("SharedPage", () => {
  it.each(["/shared#secret", "/x/secret"])("opens %s by a request whose URL lacks the token", async (address) => {
    show(address, refusal(410, { title: "Gone", code: "share_revoked" }));
    expect(await screen.findByText(/expired or was revoked/)).toBeTruthy();
    expect(requests.map(({ url, body }) => [url, body])).toEqual([["/api/v1/shares:open", { token: "secret", again: false }]]);
  });

  it("says the same of every unknown token", async () => {
    show("/x/unknown", refusal(404, { title: "Not found", code: "not_found" }));
    expect(await screen.findByText(/no shared result at this address/)).toBeTruthy();
  });

  it("shows the link's own title, and whether the result is frozen", async () => {
    show("/x/secret", { chart: chartModel(), title: "Ours", mode: "snapshot", as_of: "2026-11-01T10:00:00Z", expires_at: "2026-12-01T10:00:00Z" });
    expect(await screen.findByRole("heading", { level: 1, name: "Ours" })).toBeTruthy();
    expect(screen.getByText(/frozen .* works until/)).toBeTruthy();
    expect(document.title).toContain("Ours (shared)");
  });
});
