import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { SignedIn } from "./SignedIn";
import { SignInPage } from "./SignInPage";

const SESSION = { kind: "session", account: { id: "acc_1", name: "Ada", email: "ada@example.org", installation_admin: false }, team: null, teams: [], permissions: [], csrf_token: "c", scopes: null };
const EMAIL = "ada@example.org";
const PASSWORD = "violet anvil under seven moons";

let answers: Response[];
let requests: SentRequest[];

/** A refusal that names a time to wait. */
const paused = (seconds: number) =>
  Response.json({ status: 429, code: "sign_in_paused", title: "Sign-in is paused", detail: "paused" }, { status: 429, headers: { "Retry-After": `${seconds}` } });

beforeEach(() => {
  answers = [];
  let isSignedIn = false;
  requests = serve(({ path, method }) => {
    if (path.endsWith("/sign-in")) return { provider: null };
    if (method === "POST") {
      const answer = answers.shift() ?? new Response(null, { status: 204 });
      isSignedIn = answer.ok;
      return answer;
    }
    return isSignedIn ? SESSION : refusal(401, { code: "unauthenticated" });
  });
});
afterEach(() => {
  cleanup();
  window.history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

const sent = () => requests.filter(({ method }) => method === "POST").map(({ body }) => body);

async function submit(): Promise<void> {
  fireEvent.change(await screen.findByLabelText("Email address"), { target: { value: ` ${EMAIL}` } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: PASSWORD } });
  again();
}

function again(): void {
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

function showSignIn(): void {
  window.history.replaceState(null, "", "/sign-in");
  showAt("/sign-in", { "/sign-in": <SignInPage />, "/": <p>Start</p> });
}

describe("sign-in by password", () => {
  it("sends both and goes to the start", async () => {
    showSignIn();
    await submit();
    await screen.findByText("Start");
    expect(sent()).toEqual([{ email: EMAIL, password: PASSWORD }]);
  });

  it("opens the requested page", async () => {
    window.history.replaceState(null, "", "/runs/run_1");
    showAt("/runs/run_1", { "*": <SignedIn /> });
    await submit();
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Sign in" })).toBeNull());
    expect(window.location.pathname).toBe("/runs/run_1");
  });

  it("has fields that password managers know", async () => {
    showSignIn();
    expect((await screen.findByLabelText("Email address")).getAttribute("autocomplete")).toBe("username");
    const password = screen.getByLabelText("Password");
    expect([password.getAttribute("autocomplete"), password.getAttribute("type")]).toEqual(["current-password", "password"]);
    fireEvent.click(screen.getByRole("button", { name: "Show: Password" }));
    expect(password.getAttribute("type")).toBe("text");
  });

  it("says that something is wrong, and keeps what was typed", async () => {
    answers = [refusal(401, { code: "wrong_credentials", title: "Not signed in" })];
    showSignIn();
    await submit();
    await screen.findByText(/Email address or password is wrong/);
    expect(screen.getByLabelText("Password")).toHaveProperty("value", PASSWORD);
    again();
    await screen.findByText("Start");
  });

  it("asks for a code only where the server wants one", async () => {
    answers = [refusal(401, { code: "second_factor_required" }), refusal(401, { code: "second_factor_wrong" })];
    showSignIn();
    await submit();
    const code = await screen.findByLabelText("Code");
    expect(document.activeElement).toBe(code);
    expect(code.getAttribute("autocomplete")).toBe("one-time-code");
    expect(screen.queryByRole("alert")).toBeNull();
    fireEvent.change(code, { target: { value: "123 456" } });
    again();
    await screen.findByText(/This code is wrong/);
    fireEvent.change(code, { target: { value: "654321" } });
    again();
    await screen.findByText("Start");
    expect(sent().slice(1)).toEqual(["123 456", "654321"].map((given) => ({ email: EMAIL, password: PASSWORD, code: given })));
  });

  it("forgets the code with another address", async () => {
    answers = [refusal(401, { code: "second_factor_required" })];
    showSignIn();
    await submit();
    await screen.findByLabelText("Code");
    fireEvent.change(screen.getByLabelText("Email address"), { target: { value: "grace@example.org" } });
    expect(screen.queryByLabelText("Code")).toBeNull();
  });

  it("waits as long as the server says", async () => {
    answers = [paused(125)];
    showSignIn();
    await submit();
    await screen.findByText(/Paused after several wrong attempts. Try again in 2 min/);
    expect(screen.getByRole("button", { name: "Sign in" })).toHaveProperty("disabled", true);
  });

  it("may be tried again after a pause", async () => {
    answers = [paused(0)];
    showSignIn();
    await submit();
    await screen.findByText(/You can try again now/);
    again();
    await screen.findByText("Start");
  });

  it("says that the server does not answer", async () => {
    showSignIn();
    await screen.findByLabelText("Email address");
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await submit();
    await screen.findByText(/Plimsoll does not answer. What you typed is kept/);
    expect(screen.getByLabelText("Password")).toHaveProperty("value", PASSWORD);
  });

  it("keeps the help for one-time links", async () => {
    showSignIn();
    await screen.findByText("scripts/up");
    await screen.findByRole("heading", { name: "No password, or forgotten?" });
  });
});
