import { useState } from "react";
import type { Level } from "@/api/draft";
import { errorsAt } from "@/api/errors";
import { Chip, ChipField } from "@/components/Field";
import { formatLevel } from "@/components/format";
import { formatSweep, isSweep } from "@/components/sweep";
import { messages } from "@/messages";
import { fieldOf, levelsOf, parseField, parseWords } from "./document";
import { hintOf, labelOf } from "./FactorField";
import type { FactorProps } from "./factorProps";
import styles from "./Vary.module.css";

const t = messages("experiments");

/** Levels that are offered besides the default. */
const SUGGESTED: Record<string, readonly Level[]> = { clients: [1, 8, 32] };

/** The levels of a factor without choices, each as a chip, and a box that adds others. */
export function LevelChips({ document, factor, errors, onLevels }: FactorProps) {
  const field = fieldOf(document, factor);
  const levels = levelsOf(document, factor);
  const known = inOrder([...new Set([...(SUGGESTED[factor.name] ?? [factor.default]), ...levels])]);
  const change = (next: readonly Level[]) => onLevels(factor, inOrder(next));
  const toggle = (level: Level) =>
    change(levels.includes(level) ? levels.filter((other) => other !== level) : [...levels, level]);
  const add = (text: string) => {
    const added = factor.pattern === null ? parseField(text) : parseWords(text);
    if (isSweep(added)) onLevels(factor, added);
    else change([...new Set([...levels, ...added])]);
  };
  return (
    <ChipField
      label={labelOf(factor)}
      hint={hintOf(factor)}
      errors={errorsAt(errors, `/factors/${factor.name}`)}
    >
      {isSweep(field) ? (
        <Chip on onToggle={() => change([factor.default])}>
          {`${formatSweep(field)} · ${t("levels", { count: levels.length })}`}
        </Chip>
      ) : (
        known.map((level) => (
          <Chip key={String(level)} on={levels.includes(level)} onToggle={() => toggle(level)}>
            {formatLevel(level)}
          </Chip>
        ))
      )}
      <AddLevel label={t("levelAdd", { factor: factor.label })} onAdd={add} />
    </ChipField>
  );
}

/** Numbers by size, then other levels as they were added. */
function inOrder(levels: readonly Level[]): Level[] {
  const numbers = levels.filter((level) => typeof level === "number").sort((a, b) => a - b);
  return [...numbers, ...levels.filter((level) => typeof level !== "number")];
}

/** A small box: what is typed is added by Enter, or when the box is left. */
function AddLevel({ label, onAdd }: { label: string; onAdd: (text: string) => void }) {
  const [text, setText] = useState("");
  const add = () => {
    if (text.trim() === "") return;
    onAdd(text);
    setText("");
  };
  return (
    <input
      className={styles.addLevel}
      aria-label={label}
      placeholder={t("levelAddHint")}
      value={text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        add();
      }}
    />
  );
}
