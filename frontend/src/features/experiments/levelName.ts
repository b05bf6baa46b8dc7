/** Names of levels in sentences of the form. */
import type { Level, Levels } from "@/api/draft";
import type { Factors } from "@/api/types";
import { formatLevel } from "@/components/format";
import { messages } from "@/messages";

const t = messages("experiments");

/** Returns the name of a level: of a path its title. */
export function levelName({ paths }: Factors, factor: string, level: Level): string {
  const path = factor === "path" ? paths.find(({ name }) => name === level) : undefined;
  return path?.title ?? formatLevel(level);
}

/** Formats levels of several factors: "path Host network, clients 8". */
export function formatLevels(vocabulary: Factors, levels: Levels): string {
  return Object.entries(levels)
    .map(([name, level]) => {
      const label = vocabulary.factors.find((factor) => factor.name === name)?.label ?? name;
      return `${label} ${levelName(vocabulary, name, level)}`;
    })
    .join(t("levelAnd"));
}
