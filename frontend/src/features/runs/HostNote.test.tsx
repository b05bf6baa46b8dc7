import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Host, Run } from "@/api/generated";
import { HOST } from "@/testing/hosts";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { HostNote } from "./HostNote";

function show(host: Host) {
  const requests = serve(({ path }) => (path.endsWith("/hosts") ? { data: [host] } : undefined));
  showAt("/", { "/": <HostNote run={{ host: host.name } as Run} /> });
  return requests;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says why a run waits on a drained host, since when and by whom", async () => {
  show({ ...HOST, pause: { code: "drained", since: "2026-11-20T11:00:00Z", by: "Grace", opens_at: null } });
  expect(await screen.findByText(/bench-1 was drained by Grace at .*The trials of this run wait until then/)).toBeTruthy();
});

it("says when the hours of a host begin", async () => {
  show({ ...HOST, pause: { code: "outside_hours", since: null, by: null, opens_at: "2026-11-20T20:00:00Z" } });
  expect(await screen.findByText(/bench-1 starts trials again at .*its policy has hours/)).toBeTruthy();
});

it("says that a run waits for its client host", async () => {
  const client = { ...HOST, id: "hst_2", name: "bench-2", pause: { code: "drained" as const, since: "2026-11-20T11:00:00Z", by: "Grace", opens_at: null } };
  serve(({ path }) => (path.endsWith("/hosts") ? { data: [HOST, client] } : undefined));
  showAt("/", { "/": <HostNote run={{ host: HOST.name, client_host: "bench-2" } as Run} /> });
  expect(await screen.findByText(/bench-2 was drained by Grace/)).toBeTruthy();
});

it("is silent while the host starts trials", async () => {
  const requests = show(HOST);
  await waitFor(() => expect(requests.length).toBe(1));
  expect(document.body.textContent).toBe("");
});
