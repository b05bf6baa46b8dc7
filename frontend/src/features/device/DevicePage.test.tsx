import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeviceAuthorization, Session } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { DevicePage } from "./DevicePage";

const AT = "2026-11-23T10:00:00.000Z";
const FOUND: DeviceAuthorization = {
  id: "dev_1",
  user_code: "WDJB-MJHT",
  client_name: "laptop",
  address: "192.0.2.7",
  same_address: true,
  scopes: ["run:read", "run:write", "admin"],
  created_at: AT,
  expires_at: AT,
};
const SESSION: Session = {
  kind: "session",
  account: { id: "acc_1", name: "Ada", email: null, installation_admin: false },
  team: { id: "tem_2", name: "Networks", role: "runner", needs_second_factor: false },
  teams: [
    { id: "tem_1", name: "Readers", role: "viewer", needs_second_factor: false },
    { id: "tem_2", name: "Networks", role: "runner", needs_second_factor: false },
    { id: "tem_3", name: "Locked", role: "admin", needs_second_factor: true },
  ],
  permissions: ["read", "write", "share"],
  csrf_token: "c",
  scopes: null,
};

let found: DeviceAuthorization | Response;
let requests: SentRequest[];
const posted = () => requests.filter(({ method }) => method === "POST");
const show = (address: string) => showAt(address, { "/device": <DevicePage /> }, undefined, SESSION);

async function review() {
  show("/device?user_code=WDJB-MJHT");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByRole("heading", { name: "Does your terminal show this code?" });
}

beforeEach(() => {
  found = FOUND;
  requests = serve(({ path }) => (path.endsWith(":find") ? found : path.endsWith("/session") ? SESSION : new Response(null, { status: 204 })));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("DevicePage", () => {
  it("fills in the code of the link and sends nothing by itself", () => {
    show("/device?user_code=WDJB-MJHT");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Code" }).value).toBe("WDJB-MJHT");
    expect(posted()).toEqual([]);
  });

  it("shows who waits, and approves with team, scopes and lifetime", async () => {
    await review();
    for (const text of ["WDJB-MJHT", "laptop", "192.0.2.7"]) screen.getByText(text);
    expect(screen.queryByText(/another network address/)).toBeNull();
    const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
    expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([[true, false], [true, false], [false, true]]);
    fireEvent.click(boxes[1]!);
    fireEvent.change(screen.getByRole("combobox", { name: "Signed in for" }), { target: { value: "7" } });
    fireEvent.click(screen.getByRole("button", { name: "The codes are equal: sign in" }));
    await screen.findByRole("heading", { name: "Signed in" });
    expect(posted().at(-1)?.body).toEqual({ user_code: "WDJB-MJHT", team_id: "tem_2", scopes: ["run:read"], expires_in_days: 7 });
  });

  it("offers the teams whose rights the browser has, with what the role there may do", async () => {
    await review();
    const team = screen.getByRole<HTMLSelectElement>("combobox", { name: "Team" });
    expect([...team.options].map(({ text }) => text)).toEqual(["Readers (you are viewer)", "Networks (you are runner)"]);
    fireEvent.change(team, { target: { value: "tem_1" } });
    expect(screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked)).toEqual([true, false, false]);
  });

  it("denies", async () => {
    await review();
    fireEvent.click(screen.getByRole("button", { name: "Deny" }));
    await screen.findByRole("heading", { name: "Denied" });
    expect(posted().map(({ path }) => path.split(":").at(-1))).toEqual(["find", "deny"]);
  });

  it("warns when the request comes from another address than the browser", async () => {
    found = { ...FOUND, same_address: false };
    await review();
    screen.getByText(/another network address than your browser/);
  });

  it("says that no command line waits with a code", async () => {
    found = refusal(404, { code: "not_found", title: "Not found" });
    show("/device");
    fireEvent.change(screen.getByRole("textbox", { name: "Code" }), { target: { value: "BBBB-BBBB" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText(/mistyped, was used, or is older/);
    await waitFor(() => expect(posted()).toHaveLength(1));
  });

  it("shows a refusal by the limit", async () => {
    found = refusal(429, { code: "rate_limited", title: "Too many requests", detail: "send the request again in 6 s" });
    show("/device?user_code=WDJB-MJHT");
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText(/again in 6 s/);
  });
});
