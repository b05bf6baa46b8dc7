import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { EquivalenceCard } from "./EquivalenceCard";

const ROW = { userland_proxy: true, n: 7, ratio: null, interval: null, message: null };
const FOUND = {
  host: "bench-1",
  run_id: "run_1",
  finished_at: "2026-11-20T18:20:00Z",
  metric: "proxy_cpu_cores",
  margin: 0.05,
  paths: [
    { ...ROW, cell_id: "c2", label: "Published port, host Docker daemon", path: "published_loopback", verdict: "worse", sentence: "it is higher", difference: { value: 0.502, interval: { low: 0.5, high: 0.51 }, unit: "cores" } },
    { ...ROW, cell_id: "c4", label: "Same container, host Docker daemon", path: "same_container", n: 0, verdict: "undefined", sentence: "? (no trial yielded it)", difference: null },
  ],
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows a difference where no ratio exists, and why a path is not judged", async () => {
  serve(({ path }) => (path.endsWith("/equivalence") ? FOUND : undefined));
  showAt("/", { "/": <EquivalenceCard host="bench-1" measured possible={false} /> });
  const row = async (label: string) => (await screen.findByText(label)).closest("tr")?.textContent;
  const published = await row("Published port, host Docker daemon");
  expect(published).toContain("+0.502 cores");
  expect(published).toContain("+0.500 to +0.510");
  expect(await row("Same container, host Docker daemon")).toContain("? (no trial yielded it)");
});
