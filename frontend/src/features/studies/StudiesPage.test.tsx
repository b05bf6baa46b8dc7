import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { StudiesPage } from "./StudiesPage";

const PRESET = { name: "a-2019-quick", full_form: "a-2019", form: "quick", study: "a-2019", title: "Proxy", question: "What does docker-proxy cost?", summary: "six cells", definition: { name: "n" }, size: { cells: 2, seconds: 180 } };
const STUDY = { name: "a-2019", title: "High CPU usage", citation: "A. Author, “High CPU usage”, blog post, 2019", environment: "4 cores", metric: "tps", metric_label: "transactions per second", unit: "1/s", rows: [{ label: "Same container", values: [17512] }, { label: "Published port", values: [5000, 10811] }] };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows each study with a picture of its published figures, and its presets, in one request", async () => {
  const requests = serve(({ path }) => (path.endsWith("/presets") ? { data: [PRESET, { ...PRESET, name: "own", study: null, full_form: "own", title: "Own" }], studies: [STUDY] } : undefined));
  showAt("/studies", { "/studies": <StudiesPage /> });
  const card = within(await screen.findByRole("article", { name: "Study a-2019" }));
  const rows = within(card.getByRole("figure")).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual(["Same container17,512", "Published port10,811"]);
  expect(card.getByText(STUDY.citation)).toBeTruthy();
  expect(card.getByRole("link", { name: `Quick form: ${PRESET.question}` }).getAttribute("href")).toBe("/new?preset=a-2019-quick");
  expect(within(screen.getByRole("article", { name: "Study own" })).queryByRole("figure")).toBeNull();
  expect(requests).toHaveLength(1);
});

it("says that a study printed no figures", async () => {
  serve(({ path }) => (path.endsWith("/presets") ? { data: [PRESET], studies: [{ ...STUDY, metric: null, rows: [] }] } : undefined));
  showAt("/studies", { "/studies": <StudiesPage /> });
  expect(await screen.findByText("It printed no figures, only charts.")).toBeTruthy();
});
