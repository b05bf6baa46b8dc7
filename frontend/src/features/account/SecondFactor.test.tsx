import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LinkedIdentity, SecondFactorState } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { Identities } from "./Identities";
import { SecondFactor } from "./SecondFactor";

const AT = "2026-11-01T10:00:00.000Z";
const NONE: SecondFactorState = { confirmed_at: null, recovery_codes: 0, proved: false, recent_sign_in: true, required_by: [] };
const PRESENT: SecondFactorState = { ...NONE, confirmed_at: AT, recovery_codes: 10, proved: true };
const CODES = ["aaaa-bbbb-cccc", "dddd-eeee-ffff"];
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

afterEach(() => {
  cleanup();
  window.history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function show(state: SecondFactorState, answer: (request: SentRequest) => unknown = () => undefined) {
  const requests = serve((request) => {
    if (request.method === "GET" && request.path.endsWith("/second-factor")) return state;
    if (request.path.endsWith("/sign-in")) return { provider: { name: "Example", url: "/api/v1/sign-in/oidc" } };
    return answer(request);
  });
  showAt("/account", { "/account": <SecondFactor /> });
  return (method: string) => requests.filter((each) => each.method === method);
}

describe("SecondFactor", () => {
  it("is set up by QR code or key, and the codes stay until they are stored", async () => {
    const sent = show(NONE, ({ path }) => (path.endsWith(":confirm") ? { recovery_codes: CODES } : { secret: "ABCDEFGH", url: "otpauth://totp/x", svg: SVG }));
    fireEvent.click(await screen.findByRole("button", { name: "Set up a second factor" }));
    const picture = await screen.findByRole("img", { name: /QR code/ });
    expect(picture.getAttribute("src")).toBe(`data:image/svg+xml,${encodeURIComponent(SVG)}`);
    expect(screen.getByText("ABCD EFGH")).toBeTruthy();
    fireEvent.change(screen.getByRole("textbox", { name: "Code of the app" }), { target: { value: " 123456 " } });
    fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
    for (const code of CODES) await screen.findByText(code);
    expect(sent("POST").at(-1)?.body).toEqual({ code: "123456", end_other_sessions: true });
    const file = screen.getByRole("link", { name: "Download as a file" }).getAttribute("href") ?? "";
    expect(decodeURIComponent(file)).toContain(`${CODES.join("\n")}\n`);
    expect(screen.getByRole("button", { name: "Done" })).toHaveProperty("disabled", true);
    fireEvent.click(screen.getByRole("checkbox", { name: /I stored them/ }));
    fireEvent.click(screen.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByText(CODES[0]!)).toBeNull());
  });

  it("shows a wrong code at its field", async () => {
    const detail = "this code is wrong";
    show(NONE, ({ path }) => (path.endsWith(":confirm") ? refusal(422, { code: "wrong_code", detail, errors: [{ pointer: "/code", code: "wrong_code", detail }] }) : { secret: "ABCDEFGH", url: "otpauth://totp/x", svg: SVG }));
    fireEvent.click(await screen.findByRole("button", { name: "Set up a second factor" }));
    const field = await screen.findByRole("textbox", { name: "Code of the app" });
    fireEvent.change(field, { target: { value: "1" } });
    fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
    await screen.findByText(/this code is wrong/);
    expect(field.getAttribute("aria-invalid")).toBe("true");
  });

  it("asks for a new sign-in where the last one is old", async () => {
    show({ ...NONE, recent_sign_in: false });
    await screen.findByText(/sign-in of the last 15 minutes/);
    expect((await screen.findByRole("link", { name: "by Example" })).getAttribute("href")).toBe("/api/v1/sign-in/oidc?to=/account");
    expect(screen.queryByRole("button", { name: /Set up/ })).toBeNull();
  });

  it("is removed after a question, by a code", async () => {
    vi.spyOn(window, "confirm").mockReturnValueOnce(false).mockReturnValueOnce(true);
    const sent = show(PRESENT, () => new Response(null, { status: 204 }));
    const remove = await screen.findByRole("button", { name: "Remove the second factor" });
    expect(remove).toHaveProperty("disabled", true);
    fireEvent.change(screen.getByRole("textbox", { name: "Code for a change" }), { target: { value: "123456" } });
    fireEvent.click(remove);
    expect(sent("POST")).toHaveLength(0);
    fireEvent.click(remove);
    await waitFor(() => expect(sent("POST").map(({ path, body }) => [path, body])).toEqual([["/api/v1/account/second-factor:remove", { code: "123456" }]]));
  });

  it("names the teams that require it, and takes a code in a session without", async () => {
    const sent = show({ ...PRESENT, proved: false, recovery_codes: 1, recent_sign_in: false, required_by: ["Kernel", "Net"] }, () => new Response(null, { status: 204 }));
    await screen.findByText(/Kernel and Net require a second factor. Enter a code/);
    screen.getByText(/Few recovery codes/);
    fireEvent.change(screen.getByRole("textbox", { name: "Code" }), { target: { value: "123456" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(sent("POST")[0]?.path).toBe("/api/v1/account/second-factor:verify"));
  });
});

describe("Identities", () => {
  const one: LinkedIdentity = { id: "idn_1", issuer: "https://id.example.org", current: true, email: "ada@example.org", created_at: AT, last_used_at: AT };

  it("unlinks after a question, and shows why the server refuses", async () => {
    vi.spyOn(window, "confirm").mockReturnValue(true);
    serve(({ path, method }) => {
      if (path.endsWith("/sign-in")) return { provider: { name: "Example", url: "/x" } };
      return method === "DELETE" ? refusal(409, { title: "Conflict", detail: "this is the only way to sign in" }) : { data: [one] };
    });
    showAt("/account", { "/account": <Identities /> });
    fireEvent.click(await screen.findByRole("button", { name: "Unlink ada@example.org" }));
    await screen.findByText("this is the only way to sign in");
    screen.getByRole("heading", { name: "Sign-in with Example" });
  });

  it("explains a link that failed, and is absent without a provider", async () => {
    window.history.replaceState(null, "", "/account?failed=already_linked");
    let provider: object | null = { name: "Example", url: "/x" };
    serve(({ path }) => (path.endsWith("/sign-in") ? { provider } : { data: [] }));
    showAt("/account", { "/account": <Identities /> });
    await screen.findByText(/already signs in to another account/);
    await screen.findByRole("button", { name: "Link my identity of Example" });
    cleanup();
    provider = null;
    showAt("/account", { "/account": <Identities /> }, <p>beside</p>);
    await screen.findByText("beside");
    expect(screen.queryByRole("heading")).toBeNull();
  });
});
