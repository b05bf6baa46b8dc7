import { describe, expect, it } from "vitest";
import type { Preset } from "@/api/generated";
import { studies } from "./studies";
import { studyPicture } from "./studyRows";

const preset = (name: string, study: string | null, title = name): Preset => ({
  name, study, title, question: `${title}?`, summary: `about ${name}`, form: name.endsWith("-quick") ? "quick" : "full", full_form: name.replace("-quick", ""), definition: { name, title, factors: {}, rounds: 1, seed: 1, baseline: {} }, size: { cells: 1, trials: 2, seconds: 3 },
});

describe("studies", () => {
  it("groups the full and the quick preset of a question by study", () => {
    const groups = studies([
      preset("w-2024-paths", "w-2024", "Paths"), preset("w-2024-paths-quick", "w-2024", "Paths, quick form"), preset("w-2024-tools-quick", "w-2024", "Tools"), preset("own", null),
    ]);
    expect(groups.map((group) => [group.study, group.questions.length])).toEqual([["w-2024", 2], ["own", 1]]);
    expect(groups[0]!.questions[0]).toMatchObject({ question: "Paths?", summary: "about w-2024-paths", quick: { name: "w-2024-paths-quick" }, full: { name: "w-2024-paths" } });
    expect(groups[0]!.questions[1]).toMatchObject({ question: "Tools?", full: null });
    expect(groups[0]!.title).toBeNull();
  });

  it("names a study by the common beginning of its titles", () => {
    const [group] = studies([preset("a", "s", "Proxy use: by load"), preset("b", "s", "Proxy use: by quota")]);
    expect(group!.title).toBe("Proxy use");
    expect(studies([preset("a", "s", "Proxy use: by load")])[0]!.title).toBeNull();
  });
});

describe("studyPicture", () => {
  it("draws all values on one axis from zero", () => {
    const { rows, most, more } = studyPicture({ rows: [{ label: "a", values: [50, 100] }, { label: "b", values: [25] }, { label: "c", values: [] }] });
    expect(most).toBe(100);
    expect(more).toBe(0);
    expect(rows.map(({ places, last }) => [places, last])).toEqual([[[50, 100], 100], [[25], 25]]);
  });

  it("draws few rows, and says how many are left out", () => {
    const many = Array.from({ length: 20 }, (_, row) => ({ label: `row ${row}`, values: [row] }));
    expect(studyPicture({ rows: many })).toMatchObject({ more: 13, most: 19 });
    expect(studyPicture({ rows: [] })).toEqual({ rows: [], more: 0, most: 0 });
  });
});
