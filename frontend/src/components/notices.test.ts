import { expect, it } from "vitest";
import { groupNotices } from "./notices";

it("groups notices by kind, the kind of most cells first; a notice about the run is a kind of its own", () => {
  const cells = ["c1", "c2"].map((id) => ({ id, label: `cell ${id}`, href: null, notices: [{ kind: "steal", figures: id, advice: "use another host", trials: 1, of: 2 }] }));
  const mtu = "Paths differ in mtu: 1500 in c1; 65535 in c2. That is part of the result.";
  const found = groupNotices([{ sentence: mtu, cell_id: null }, { sentence: "3 trials failed; it has no figures.", cell_id: "c2" }], cells);
  expect(found.map((kind) => [kind.title, kind.cells.length, kind.advice])).toEqual([
    ["steal", 2, "use another host"],
    ["Cells whose figures are missing or partial", 1, ""],
    [mtu, 0, ""],
  ]);
  expect(found[0]!.cells[1]).toEqual({ label: "cell c2", href: null, figures: "c2", trials: "in 1 of 2 trials" });
  expect(found[1]!.cells[0]).toMatchObject({ label: "cell c2", figures: "3 trials failed; it has no figures." });
});
