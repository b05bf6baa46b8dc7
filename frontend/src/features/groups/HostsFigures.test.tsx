import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HOSTS_RESULT } from "@/testing/hostsResult";
import { HostsFigures } from "./HostsFigures";

const REASON = "No answer: too few rounds (needs n ≥ 9)";

it("says why a ratio has no interval", () => {
  const { table } = HOSTS_RESULT;
  const rows = table.rows.map((row) => ({ ...row, figures: row.figures.map((figure) => (figure.ratio === 0.9 ? { ...figure, interval: null, sentence: REASON } : figure)) }));
  render(<HostsFigures figures={{ ...table, rows }} />);
  expect(screen.getByRole("cell", { name: `0.900×${REASON}` })).toBeTruthy();
  expect(screen.getByRole("cell", { name: "0.720×0.700 – 0.740" })).toBeTruthy();
});
