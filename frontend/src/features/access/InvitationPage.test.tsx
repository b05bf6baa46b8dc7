import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { InvitationPage } from "./InvitationPage";

const SESSION = { kind: "session", account: { id: "acc_1", name: "Ada", email: null, installation_admin: false }, team: null, teams: [], permissions: [], csrf_token: "c", scopes: null };

function show(signedIn: boolean, status: number, problem: object = { code: "gone", title: "Gone" }) {
  window.location.hash = "#secret";
  const requests = serve(({ path }) => {
    if (path.endsWith("/session")) return signedIn ? SESSION : refusal(401, { code: "unauthenticated" });
    return status === 204 ? new Response(null, { status }) : refusal(status, problem);
  });
  showAt("/invitation", { "/invitation": <InvitationPage />, "/": <p>Start</p> });
  return requests;
}

afterEach(() => {
  cleanup();
  window.location.hash = "";
  vi.unstubAllGlobals();
});

describe("InvitationPage", () => {
  it("creates an account by name and address, and goes to the start", async () => {
    const requests = show(false, 204);
    fireEvent.change(await screen.findByRole("textbox", { name: "Your name" }), { target: { value: " Grace " } });
    fireEvent.change(screen.getByRole("textbox", { name: /Email/ }), { target: { value: "grace@example.org" } });
    fireEvent.click(screen.getByRole("button", { name: "Create the account and join" }));
    await screen.findByText("Start");
    expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ link: "secret", name: "Grace", email: "grace@example.org" });
  });

  it("sends a password with the new account", async () => {
    const requests = show(false, 204);
    fireEvent.change(await screen.findByRole("textbox", { name: "Your name" }), { target: { value: "Grace" } });
    fireEvent.change(screen.getByRole("textbox", { name: /Email/ }), { target: { value: "grace@example.org" } });
    const password = screen.getByLabelText("Password");
    expect(password.getAttribute("autocomplete")).toBe("new-password");
    fireEvent.change(password, { target: { value: "violet anvil under seven moons" } });
    fireEvent.click(screen.getByRole("button", { name: "Create the account and join" }));
    await screen.findByText("Start");
    expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ link: "secret", name: "Grace", email: "grace@example.org", password: "violet anvil under seven moons" });
  });

  it("shows at its field that a password is too easy to guess", async () => {
    const detail = "too easy to guess. Add another word or two.";
    show(false, 422, { code: "password_too_weak", title: "Invalid", detail, errors: [{ pointer: "/password", code: "password_too_weak", detail }] });
    fireEvent.change(await screen.findByRole("textbox", { name: "Your name" }), { target: { value: "Grace" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "password1234" } });
    fireEvent.click(screen.getByRole("button", { name: "Create the account and join" }));
    await screen.findByText(/too easy to guess/);
    expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("adds the team to the account that is signed in", async () => {
    const requests = show(true, 204);
    fireEvent.click(await screen.findByRole("button", { name: "Join the team" }));
    await waitFor(() => expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ link: "secret" }));
  });

  it("says that a link was used, was revoked or has expired", async () => {
    show(true, 410);
    fireEvent.click(await screen.findByRole("button", { name: "Join the team" }));
    await screen.findByText(/was used before, was revoked, has expired/);
  });
});
