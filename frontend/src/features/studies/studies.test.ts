import { describe, expect, it } from "vitest";
import type { Preset } from "@/api/generated";
import { studies } from "./studies";

const preset = (name: string, study: string | null, title = name): Preset => ({
  name, study, title, summary: `about ${name}`, form: name.endsWith("-quick") ? "quick" : "full", full_form: name.replace("-quick", ""), definition: { name, title, factors: {}, rounds: 1, seed: 1, baseline: {} }, size: { cells: 1, trials: 2, seconds: 3 },
});

describe("studies", () => {
  it("groups the full and the quick preset of a question by study", () => {
    const groups = studies([
      preset("w-2024-paths", "w-2024", "Paths"), preset("w-2024-paths-quick", "w-2024", "Paths, quick form"), preset("w-2024-tools-quick", "w-2024", "Tools"), preset("own", null),
    ]);
    expect(groups.map((group) => [group.study, group.questions.length])).toEqual([["w-2024", 2], ["own", 1]]);
    expect(groups[0]!.questions[0]).toMatchObject({ title: "Paths", summary: "about w-2024-paths", quick: { name: "w-2024-paths-quick" }, full: { name: "w-2024-paths" } });
    expect(groups[0]!.questions[1]).toMatchObject({ title: "Tools", full: null });
    expect(groups[0]!.title).toBeNull();
  });

  it("splits the common beginning off the titles of a study", () => {
    const [group] = studies([preset("a", "s", "Proxy use: by load"), preset("b", "s", "Proxy use: by quota")]);
    expect(group).toMatchObject({ title: "Proxy use", questions: [{ title: "By load" }, { title: "By quota" }] });
    expect(studies([preset("a", "s", "Proxy use: by load")])[0]).toMatchObject({ title: null, questions: [{ title: "Proxy use: by load" }] });
  });
});
