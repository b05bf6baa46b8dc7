import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HostDetail, PolicyEffect } from "@/api/generated";
import { hostDetail } from "@/testing/hosts";
import { showAt } from "@/testing/render";
import { refusal, serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { VOCABULARY } from "@/testing/vocabulary";
import { HostPage } from "./HostPage";

const DRAINED: HostDetail["pause"] = { code: "drained", since: "2026-11-20T11:00:00Z", by: "Grace", opens_at: null };
const NONE: PolicyEffect = { trials: 0, runs: [], other_runs: 0, reasons: [] };

let host: HostDetail;
let effect: PolicyEffect;

function answer({ method, path, body }: SentRequest): unknown {
  if (path.endsWith("/factors")) return VOCABULARY;
  if (path.endsWith(":drain")) host = { ...host, pause: DRAINED };
  if (path.endsWith(":resume")) host = { ...host, pause: null };
  if (path.endsWith(":preview")) return effect;
  if (method === "PUT") host = { ...host, policy: body as HostDetail["policy"] & object };
  if (method === "PATCH") host = { ...host, labels: (body as { labels: string[] }).labels };
  return path.includes("/hosts/bench-1") && !path.endsWith("/equivalence") ? host : undefined;
}

function show(isAdmin = true, respond = answer) {
  const requests = serve(respond);
  const account = { id: "acc_1", name: "Ada", email: null, installation_admin: isAdmin };
  showAt("/hosts/bench-1", { "/hosts/:host": <HostPage />, "/runs/:run": <p>a run</p> }, undefined, sessionOf("admin", { account }));
  return requests;
}

const sent = (requests: readonly SentRequest[]) => requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path.replace("/api/v1/hosts/bench-1", ""), body]);

beforeEach(() => {
  host = hostDetail({ queue: { queued_trials: 4, running_trials: 1, runs: [], other_runs: 1 } });
  effect = NONE;
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the comparison of the daemons", () => {
  it("is not asked for while no run has measured both", async () => {
    const requests = show();
    await screen.findByRole("button", { name: "Drain" });
    expect(requests.filter(({ path }) => path.endsWith("/equivalence"))).toEqual([]);
  });

  it("is asked for where there is a run", async () => {
    host = hostDetail({ equivalence_run_id: "run_1" });
    const requests = show();
    await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/equivalence"))).toHaveLength(1));
  });
});

describe("drain", () => {
  it("asks first, says what happens to trials, and shows since when and by whom", async () => {
    const requests = show();
    fireEvent.click(await screen.findByRole("button", { name: "Drain" }));
    expect(screen.getByText(/A running trial ends by itself and is recorded; 4 queued trials wait/)).toBeTruthy();
    expect(sent(requests)).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Drain the host" }));
    expect(await screen.findByText(/bench-1 was drained by Grace at .*2026/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Resume" }));
    fireEvent.click(screen.getByRole("button", { name: "Resume the host" }));
    await waitFor(() => expect(screen.queryByText(/was drained by/)).toBeNull());
    expect(sent(requests)).toEqual([["POST", ":drain", undefined], ["POST", ":resume", undefined]]);
  });

  it("is no control of others, who see the state", async () => {
    host = { ...host, pause: DRAINED };
    show(false);
    expect(await screen.findByText(/bench-1 was drained by Grace/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("the policy", () => {
  async function open() {
    fireEvent.click(await screen.findByRole("button", { name: "Change the policy" }));
    return within(screen.getByRole("form", { name: "Policy" }));
  }

  it("is stored whole, with hours in a time zone, and shown in words", async () => {
    const requests = show();
    const form = await open();
    fireEvent.click(form.getByRole("button", { name: /the host’s own daemon/ }));
    fireEvent.change(form.getByLabelText("Proxy programs beside docker-proxy"), { target: { value: "none" } });
    fireEvent.change(form.getByLabelText("Longest trial (s)"), { target: { value: "120" } });
    fireEvent.click(form.getByRole("button", { name: "Add hours" }));
    fireEvent.click(form.getByRole("button", { name: /Sat/ }));
    fireEvent.change(form.getByLabelText("Time zone"), { target: { value: "Europe/Berlin" } });
    expect(form.getByLabelText("To, the day after")).toBeTruthy();
    fireEvent.click(form.getByRole("button", { name: "Save the policy" }));
    expect(await screen.findByText("Mon to Sat 20:00 to 06:00 (Europe/Berlin)")).toBeTruthy();
    expect(screen.getByText("2 min")).toBeTruthy();
    const windows = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat"], opens: "20:00", closes: "06:00" }];
    const policy = { engines: ["on", "off", "swarm"], host_network: true, programs: [], longest_trial_s: 120, hours: { time_zone: "Europe/Berlin", windows } };
    expect(sent(requests)).toEqual([["POST", "/policy:preview", policy], ["PUT", "/policy", policy]]);
  });

  it("of somebody else that was stored meanwhile is not replaced: the form says so and keeps what was typed", async () => {
    host = { ...host, policy_version: "first" };
    const requests = show(true, (request) => (request.method === "PUT" ? refusal(409, { title: "Conflict", detail: "somebody changed the policy of bench-1 since it was read", code: "conflict" }) : answer(request)));
    const form = await open();
    fireEvent.change(form.getByLabelText("Longest trial (s)"), { target: { value: "120" } });
    host = { ...host, policy_version: "second" };
    fireEvent.click(form.getByRole("button", { name: "Save the policy" }));
    expect(await form.findByText(/somebody changed the policy/)).toBeTruthy();
    expect(requests.find(({ method }) => method === "PUT")?.query.get("replaces")).toBe("first");
    expect(form.getByLabelText<HTMLInputElement>("Longest trial (s)").value).toBe("120");
  });

  it("that forbids trials of runs that wait is stored only after a question", async () => {
    effect = { trials: 6, runs: [{ id: "run_1", title: "Two cells", trials: 4 }], other_runs: 1, reasons: ["the policy of this host: 12 s"] };
    const requests = show();
    const form = await open();
    fireEvent.click(form.getByRole("button", { name: "Save the policy" }));
    expect((await screen.findByText(/6 trials of runs that started before would fail/)).textContent).toContain("incomplete");
    expect(screen.getByText("Two cells")).toBeTruthy();
    expect(screen.getByText("1 run of other teams")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Back to the form" }));
    expect(sent(requests).map(([method]) => method)).toEqual(["POST"]);
    fireEvent.click(form.getByRole("button", { name: "Save the policy" }));
    fireEvent.click(await screen.findByRole("button", { name: "Save it, these trials fail" }));
    await waitFor(() => expect(sent(requests).map(([method]) => method)).toEqual(["POST", "POST", "PUT"]));
    await waitFor(() => expect(screen.queryByRole("form", { name: "Policy" })).toBeNull());
  });

  it("says at its field what the server refuses", async () => {
    const errors = [{ pointer: "/hours/time_zone", code: "value_error", detail: "Europe/Atlantis: no such time zone" }];
    show(true, (request) => (request.path.endsWith(":preview") ? refusal(422, { title: "Invalid", code: "invalid", detail: "1 field", errors }) : answer(request)));
    const form = await open();
    fireEvent.click(form.getByRole("button", { name: "Add hours" }));
    fireEvent.click(form.getByRole("button", { name: "Save the policy" }));
    await waitFor(() => expect(form.getByLabelText("Time zone").getAttribute("aria-invalid")).toBe("true"));
    expect(form.getByText(/no such time zone/)).toBeTruthy();
  });
});

describe("labels", () => {
  it("are stored as a list", async () => {
    const requests = show();
    fireEvent.change(await screen.findByLabelText("Labels of this host"), { target: { value: "metal, arm64 ,, metal" } });
    fireEvent.click(screen.getByRole("button", { name: "Save labels" }));
    await waitFor(() => expect(sent(requests)).toEqual([["PATCH", "", { labels: ["metal", "arm64", "metal"] }]]));
  });
});
