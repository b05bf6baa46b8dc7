import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createExperiment, createToken, listRuns } from "@/api/generated";
import { refusal, serve } from "@/testing/server";
import { SignedIn } from "./SignedIn";
import { SignInPage } from "./SignInPage";

const SESSION = {
  kind: "session",
  account: { id: "acc_1", name: "Ada", email: null, installation_admin: false },
  team: { id: "tem_1", name: "Team", role: "admin" },
  teams: [],
  permissions: ["read"],
  csrf_token: "c".repeat(32),
  scopes: null,
};

function show(at: string) {
  const router = createMemoryRouter(
    [{ path: "/sign-in", element: <SignInPage /> }, { element: <SignedIn />, children: [{ path: "*", element: <label>Draft<input defaultValue="kept" /></label> }] }],
    { initialEntries: [at] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

afterEach(() => {
  cleanup();
  window.location.hash = "";
  vi.unstubAllGlobals();
});

describe("SignedIn", () => {
  it("shows how to sign in, and no page, without a session", async () => {
    serve(() => refusal(401, { code: "unauthenticated" }));
    show("/");
    await screen.findByRole("heading", { name: "Sign in" });
    expect(screen.queryByDisplayValue("kept")).toBeNull();
  });

  it("shows the way to a second factor in place of the pages of a team that requires one, but not of the account", async () => {
    serve(() => ({ ...SESSION, team: { ...SESSION.team, needs_second_factor: true } }));
    show("/runs/run_1");
    await screen.findByRole("heading", { name: "Team requires a second factor" });
    expect(screen.queryByRole("textbox")).toBeNull();
    fireEvent.click(screen.getByRole("link", { name: /in your account/ }));
    await screen.findByRole("textbox");
  });

  it("shows an account without a team what to do, but its own page as ever", async () => {
    serve(() => ({ ...SESSION, team: null }));
    show("/runs/run_1");
    await screen.findByRole("heading", { name: "You belong to no team" });
    expect(screen.queryByRole("textbox")).toBeNull();
    fireEvent.click(screen.getByRole("link", { name: "Your account" }));
    await screen.findByRole("textbox");
  });

  it("sends the CSRF token with requests that change something, and only with those", async () => {
    const headers: [string, string | null][] = [];
    vi.stubGlobal("fetch", (request: Request) => {
      headers.push([request.method, request.headers.get("X-CSRF-Token")]);
      return Promise.resolve(Response.json(SESSION));
    });
    show("/");
    await screen.findByRole("textbox");
    await createExperiment({ body: {} as never });
    await listRuns();
    expect(headers).toEqual([["GET", null], ["POST", SESSION.csrf_token], ["GET", null]]);
  });

  it("keeps the page and what was typed when the session ends", async () => {
    let ended = false;
    serve((request) => (ended ? refusal(401, { code: "unauthenticated" }) : request.path.endsWith("/session") ? SESSION : { data: [] }));
    show("/");
    await screen.findByDisplayValue("kept");
    ended = true;
    await listRuns().catch(() => undefined);
    await screen.findByText(/You are signed out/);
    expect(screen.getByDisplayValue("kept")).toBeTruthy();
  });

  it("signs in again without leaving the page, and loads everything again", async () => {
    Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
    let ended = false;
    const requests = serve(({ path, method }) => {
      if (path.endsWith("/sign-in")) return { provider: null };
      if (method === "POST") {
        ended = false;
        return new Response(null, { status: 204 });
      }
      return ended ? refusal(401, { code: "unauthenticated" }) : path.endsWith("/session") ? SESSION : { data: [] };
    });
    show("/runs/run_1");
    const typed = await screen.findByDisplayValue("kept");
    fireEvent.change(typed, { target: { value: "typed" } });
    ended = true;
    await listRuns().catch(() => undefined);
    fireEvent.click(await screen.findByRole("button", { name: "Sign in again" }));
    fireEvent.change(screen.getByLabelText("Email address"), { target: { value: "ada@example.org" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
    fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(screen.queryByText(/You are signed out/)).toBeNull());
    expect(screen.getByDisplayValue("typed")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([{ email: "ada@example.org", password: "correct horse" }]);
  });
});

describe("RecentSignIn", () => {
  it("signs in again where a change needs it, and keeps what was typed", async () => {
    Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
    const requests = serve(({ path, method }) => {
      if (path.endsWith("/sign-in")) return { provider: null };
      if (path.endsWith("/tokens")) return refusal(403, { code: "sign_in_again" });
      return method === "POST" ? new Response(null, { status: 204 }) : SESSION;
    });
    show("/account");
    fireEvent.change(await screen.findByDisplayValue("kept"), { target: { value: "typed" } });
    expect(screen.queryByRole("dialog")).toBeNull();
    await createToken({ body: { name: "mine", scopes: ["run:read"] } }).catch(() => undefined);
    await screen.findByText(/needs a sign-in of the last 15 minutes/);
    fireEvent.change(screen.getByLabelText("Email address"), { target: { value: "ada@example.org" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
    fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(screen.queryByText(/needs a sign-in/)).toBeNull());
    expect(screen.getByDisplayValue("typed")).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/sessions"))).toHaveLength(1);
  });
});

describe("sign-in by a provider", () => {
  const methods = { provider: { name: "Example", url: "/api/v1/sign-in/oidc" } };

  it("is offered where the server has a provider, and returns to the same page", async () => {
    window.history.replaceState(null, "", "/runs/run_1?tab=table");
    serve((request) => (request.path.endsWith("/sign-in") ? methods : refusal(401, { code: "unauthenticated" })));
    show("/runs/run_1");
    const link = await screen.findByRole("link", { name: "Sign in with Example" });
    expect(link.getAttribute("href")).toBe("/api/v1/sign-in/oidc?to=%2Fruns%2Frun_1%3Ftab%3Dtable");
    window.history.replaceState(null, "", "/");
  });

  it("is not offered otherwise", async () => {
    serve((request) => (request.path.endsWith("/sign-in") ? { provider: null } : refusal(401, { code: "unauthenticated" })));
    show("/");
    await screen.findByRole("heading", { name: "Sign in" });
    expect(screen.queryByRole("link", { name: /Sign in with/ })).toBeNull();
  });

  it("explains a failure by its code, and shows no other text of the address", async () => {
    serve(() => methods);
    for (const [code, text] of [["clock_skew", /differ by more than 60 seconds/], ["<b>call 555</b>", /^The sign-in by the identity provider failed\.$/]] as const) {
      window.history.replaceState(null, "", `/sign-in?failed=${encodeURIComponent(code)}`);
      show("/sign-in");
      await screen.findByText(text);
      cleanup();
    }
    window.history.replaceState(null, "", "/");
  });
});

describe("SignInPage", () => {
  it("uses the link of the address once and goes to the start", async () => {
    window.location.hash = "#secret";
    let signedIn = false;
    const requests = serve((request) => {
      if (request.path.endsWith("/sessions")) signedIn = true;
      return request.path.endsWith("/sessions") ? new Response(null, { status: 204 }) : signedIn ? SESSION : refusal(401, {});
    });
    const router = show("/sign-in#secret");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([{ link: "secret" }]);
    expect(router.state.location.hash).toBe("");
  });

  it("says that a link was used or has expired, and how to get another one", async () => {
    window.location.hash = "#old";
    serve(() => refusal(410, { code: "gone" }));
    show("/sign-in#old");
    await screen.findByText(/was used before, has expired/);
    await screen.findByRole("heading", { name: "Sign in" });
  });
});
