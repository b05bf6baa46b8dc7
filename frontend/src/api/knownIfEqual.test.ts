import { expect, it } from "vitest";
import { knownIfEqual } from "./knownIfEqual";

const answer = () => ({ cells: [{ id: "a", values: [1, null, 2.5] }, { id: "b", values: [] }], state: "running", gate: null });

it("keeps the known value of an equal answer, so that nothing is drawn again", () => {
  const known = answer();
  expect(knownIfEqual(known, answer())).toBe(known);
});

it("takes the new value of an answer that differs anywhere", () => {
  const known = answer();
  for (const next of [
    undefined,
    { ...answer(), state: "done" },
    { ...answer(), cells: answer().cells.slice(0, 1) },
    { ...answer(), cells: [{ id: "a", values: [1, 0, 2.5] }, { id: "b", values: [] }] },
    { ...answer(), gate: undefined },
    { ...answer(), cells: { 0: answer().cells[0], 1: answer().cells[1] } },
    { cells: answer().cells, state: "running", exceeded: null },
  ])
    expect(knownIfEqual(known, next)).toBe(next);
});
