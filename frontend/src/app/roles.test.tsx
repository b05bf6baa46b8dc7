// What each role can send from every page: a person who only reads gets no control that changes something.
import { readFileSync } from "node:fs";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, type RouteObject } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serve, type SentRequest } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { ROUTES } from "./routes";
import { answerFor } from "./rolesFixture";

const SIGNED_IN = ROUTES[0]!.children!.find(({ path }) => path === undefined)!;
/** An address of each page that needs an account. */
const ADDRESSES: Record<string, readonly string[]> = {
  "/": ["/"], "/studies": ["/studies"], "/library": ["/library"], "/histories": ["/histories"], "/experiments/:experimentId/history": ["/experiments/exp_1/history"], "/schedules": ["/schedules"], "/schedules/:scheduleId": ["/schedules/sch_1"], "/new": ["/new"], "/runs/:runId": ["/runs/run_1", "/runs/run_2"], "/runs/:runId/cells/:cellId": ["/runs/run_1/cells/c1"],
  "/runs/:runId/cells/:cellId/rounds/:round": ["/runs/run_1/cells/c1/rounds/1"], "/runs/:runId/trials/:trialId": ["/runs/run_1/trials/trl_1"],
  "/hosts": ["/hosts"], "/hosts/:host": ["/hosts/bench-1"], "/run-groups": ["/run-groups"], "/run-groups/:groupId": ["/run-groups/grp_1"], "/compare": ["/compare"], "/import": ["/import"], "/links": ["/links"], "/team": ["/team"], "/team/usage": ["/team/usage"],
  "/team/webhooks": ["/team/webhooks"], "/team/audit": ["/team/audit"], "/account": ["/account"], "/device": ["/device"], "/administration": ["/administration"], "/administration/accounts": ["/administration/accounts"], "/administration/audit": ["/administration/audit"],
  "/help": ["/help"], "/api-docs": ["/api-docs"], "/docs": ["/docs"], "*": ["/nothing"],
};
const PAGES = Object.entries(ADDRESSES).flatMap(([route, all]) => all.map((address) => [address, route] as const));
/** What everybody may send: to read, to plan, to star, and about the own account. */
const FOR_ALL = ["public", "signed_in", "read", "account"];
const VALUES: Record<string, string> = { url: "https://example.org", email: "a@example.org" };

interface Operation {
  operationId: string;
  "x-permission": string;
}

const API = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as { paths: Record<string, Record<string, Operation>> };

/** The operation of a request. */
function operationOf({ method, path }: SentRequest): Operation {
  for (const [pattern, operations] of Object.entries(API.paths)) {
    const shape = pattern.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^/:]+");
    const found = operations[method.toLowerCase()];
    if (found && new RegExp(`^${shape}$`).test(path)) return found;
  }
  throw new Error(`no operation ${method} ${path}`);
}

/** Passes time by the faked clock; requests are answered and parts of the page loaded meanwhile. `longer`: also those that follow a change or each other. */
async function settle(client: QueryClient, longer = false): Promise<void> {
  const pass = () =>
    act(async () => {
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(50);
    });
  for (let passed = 0; passed < (longer ? 800 : 50); passed += 50) await pass();
  while (client.isFetching() + client.isMutating() > 0) await pass();
}

/** Fills all fields, chooses the last option of each list, and clicks every button of a page and of the dialogs that open. Returns what was sent. */
async function sendEverything(route: string, address: string, session: ReturnType<typeof sessionOf>): Promise<SentRequest[]> {
  const requests = serve(answerFor(session));
  const page: RouteObject = SIGNED_IN.children!.find(({ path }) => path === route)!;
  const { Component } = page.lazy ? await (page.lazy as () => Promise<{ Component: React.ComponentType }>)() : { Component: () => page.element };
  const elsewhere = { path: "*", element: <p>elsewhere</p> };
  const router = createMemoryRouter([{ element: SIGNED_IN.element, children: [{ path: route, element: <Component /> }, ...(route === "*" ? [] : [elsewhere])] }], { initialEntries: [address] });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: false } } });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  do await settle(client);
  while (screen.queryByLabelText("Loading your account"));
  const clicked = new Set<string>();
  for (let waited = false; ; ) {
    for (const field of document.querySelectorAll<HTMLInputElement>("input:not([readonly]):not([type=checkbox]):not([type=file]):not([type=datetime-local])"))
      if (field.value === "" || field.inputMode === "numeric") fireEvent.change(field, { target: { value: VALUES[field.type] ?? "90" } });
    for (const select of document.querySelectorAll("select")) if (select.selectedIndex < select.options.length - 1) fireEvent.change(select, { target: { value: select.options[select.options.length - 1]!.value } });
    await settle(client);
    // An open dialog comes first, from its last button: its first one closes it. Of an open menu, what deletes.
    const inDialog = [...document.querySelectorAll<HTMLElement>("dialog button:not([disabled])")].reverse();
    const inMenu = document.querySelectorAll<HTMLElement>("[role=menuitem][data-kind=danger]");
    const buttons = [...inDialog, ...inMenu, ...document.querySelectorAll<HTMLElement>("button:not([disabled])")];
    const next = buttons.find((button) => !clicked.has(nameOf(button)));
    if (!next && waited) break;
    waited = !next;
    if (!next) {
      await settle(client, true);
      continue;
    }
    clicked.add(nameOf(next));
    fireEvent.click(next);
    await settle(client);
  }
  cleanup();
  return requests.filter(({ method }) => method !== "GET");
}

function nameOf(button: HTMLElement): string {
  return `${button.closest("dialog") ? "dialog: " : ""}${button.getAttribute("aria-label") ?? button.textContent}`;
}

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(HTMLDialogElement.prototype, { showModal(this: HTMLDialogElement) { this.open = true; }, close(this: HTMLDialogElement) { this.open = false; } });
  vi.stubGlobal("confirm", () => true);
  vi.stubGlobal("ResizeObserver", class { observe() {} unobserve() {} disconnect() {} });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("roles", () => {
  it("covers every page that needs an account", () => {
    expect(Object.keys(ADDRESSES).sort()).toEqual(SIGNED_IN.children!.map(({ path }) => path).sort());
  });

  it.each(PAGES)("a viewer of %s can send nothing that its role may not", async (address, route) => {
    const sent = await sendEverything(route, address, sessionOf("viewer"));
    expect(sent.map(operationOf).filter((operation) => !FOR_ALL.includes(operation["x-permission"])).map(({ operationId }) => operationId)).toEqual([]);
  });
});

// The last test reads what the other ones have sent: they run in this order.
describe("an administrator", { shuffle: false }, () => {
  const admin = sessionOf("admin", { account: { id: "acc_1", name: "Ada", email: null, installation_admin: true } });
  const operations = new Set<string>();

  it.each(PAGES)("uses every control of %s", async (address, route) => {
    for (const request of await sendEverything(route, address, admin)) operations.add(operationOf(request).operationId);
  });

  it("could send all of it from the same pages", () => {
    const expected = [
      "createExperiment", "cancelRun", "deleteRun", "annotateRun", "createShare", "revokeShare", "excludeTrial", "updateHost", "drainHost", "previewHostPolicy", "createEnrolment", "revokeEnrolment", "revokeHost", "createInvitation", "revokeInvitation",
      "updateMember", "removeMember", "setRetention", "createWebhook", "updateWebhook", "deleteWebhook", "testWebhook", "redeliver", "starRun",
    ];
    expect(expected.filter((name) => !operations.has(name))).toEqual([]);
  });
});
