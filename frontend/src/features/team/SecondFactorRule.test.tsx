import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { MemberEntry, TeamSettings } from "@/api/generated";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { SecondFactorRule } from "./SecondFactorRule";

const TEAM: TeamSettings = { id: "tem_1", name: "Kernel", requires_second_factor: false };
const member = (name: string, second_factor: boolean | null): MemberEntry => ({ account_id: `acc_${name}`, name, email: null, role: "runner", disabled: false, joined_at: "2026-11-01T10:00:00.000Z", second_factor });
const MEMBERS = [member("Ada", true), member("Grace", false)];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("SecondFactorRule", () => {
  it("names the members without one, and is switched on", async () => {
    const requests = serve(({ method, body }) => (method === "PATCH" ? { ...TEAM, ...(body as object) } : TEAM));
    showAt("/team", { "/team": <SecondFactorRule members={MEMBERS} mayChange /> });
    const rule = await screen.findByRole("switch", { name: /Require a second factor/ });
    screen.getByText(/Without: Grace\./);
    fireEvent.click(rule);
    await waitFor(() => expect(rule).toHaveProperty("checked", true));
    expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ requires_second_factor: true });
  });

  it("shows why the server refuses", async () => {
    serve(({ method }) => (method === "PATCH" ? refusal(409, { title: "Conflict", detail: "set up your own second factor first" }) : TEAM));
    showAt("/team", { "/team": <SecondFactorRule members={MEMBERS} mayChange /> });
    fireEvent.click(await screen.findByRole("switch"));
    await screen.findByText("set up your own second factor first");
  });

  it("is read only for others", async () => {
    serve(() => ({ ...TEAM, requires_second_factor: true }));
    showAt("/team", { "/team": <SecondFactorRule members={[]} mayChange={false} /> });
    await screen.findByText("This team requires a second factor.");
    expect(screen.queryByRole("switch")).toBeNull();
  });
});
