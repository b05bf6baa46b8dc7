import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { EnrolmentEntry } from "@/api/generated";
import { HOST } from "@/testing/hosts";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { HostsPage } from "./HostsPage";

const AT = "2026-11-22T10:00:00Z";
const OPEN: EnrolmentEntry = { id: "enr_1", prefix: "ple_ab", note: "", host_name: null, created_by: "Ada", created_at: AT, expires_at: AT, used_at: null, used_by: null, state: "open" };

function show(isAdmin: boolean) {
  let entries = [OPEN, { ...OPEN, id: "enr_2", prefix: "ple_cd", state: "used" as const }];
  const requests = serve(({ method, path }) => {
    if (method === "DELETE") entries = [];
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (method === "POST") return { id: "enr_3", secret: "ple_secret", url: "https://plimsoll.test/join#ple_secret", command: "./scripts/join - --name metal-1 <<< 'https://plimsoll.test/join#ple_secret'", container_command: "docker run plimsoll plimsoll join 'https://plimsoll.test/join#ple_secret' --name metal-1", expires_at: AT };
    return path.endsWith("/enrolments") ? { data: entries } : path.endsWith("/hosts") ? { data: [HOST] } : undefined;
  });
  const account = { id: "acc_1", name: "Ada", email: null, installation_admin: isAdmin };
  showAt("/hosts", { "/hosts": <HostsPage /> }, undefined, sessionOf("admin", { account }));
  return requests;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("makes a command that is shown once, and revokes an open enrolment", async () => {
  const requests = show(true);
  fireEvent.change(await screen.findByLabelText("Only for a host of this name"), { target: { value: "metal-1 " } });
  fireEvent.click(screen.getByRole("button", { name: "Make a command" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Command for the new host")).value).toBe("./scripts/join - --name metal-1 <<< 'https://plimsoll.test/join#ple_secret'");
  expect(screen.getByLabelText<HTMLInputElement>("Or in a container, without a clone").value).toMatch(/^docker run .*#ple_secret' --name metal-1$/);
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ host_name: "metal-1" });
  expect(screen.queryByText(/ple_cd/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Revoke the enrolment ple_ab" }));
  await waitFor(() => expect(screen.queryByText(/ple_ab/)).toBeNull());
  expect(requests.find(({ method }) => method === "DELETE")?.path).toBe("/api/v1/hosts/enrolments/enr_1");
});

it("asks for no enrolments for others", async () => {
  const requests = show(false);
  expect(await screen.findByText("bench-1")).toBeTruthy();
  expect(screen.queryByText("Add a host")).toBeNull();
  expect(requests.some(({ path }) => path.endsWith("/enrolments"))).toBe(false);
});
