import { useState } from "react";
import type { Level, Sweep } from "@/api/draft";
import { errorsAt } from "@/api/errors";
import { Chip, ChipField, Field } from "@/components/Field";
import { formatLevel, formatNumber } from "@/components/format";
import { isSweep } from "@/components/sweep";
import { messages } from "@/messages";
import {
  fieldOf,
  formatField,
  formatWords,
  levelsOf,
  parseField,
  parseWords,
  sameField,
  toggled,
} from "./document";
import type { FactorProps } from "./factorProps";

const t = messages("experiments");

/** The field of a factor: choices, or text. */
export function FactorField(props: FactorProps) {
  if (props.factor.choices.length > 0) return <Choices {...props} />;
  return <Typed {...props} free={props.factor.pattern !== null} />;
}

/** The levels of a factor that has choices, each as a chip. */
export function Choices({ document, factor, errors, onLevels }: FactorProps) {
  const levels = levelsOf(document, factor);
  const known = [...factor.choices, ...levels.filter((level) => !factor.choices.includes(level))];
  return (
    <ChipField
      label={factor.label}
      hint={factor.about}
      errors={errorsAt(errors, `/factors/${factor.name}`)}
    >
      {known.map((level) => (
        <Chip
          key={String(level)}
          on={levels.includes(level)}
          onToggle={() => onLevels(factor, toggled(factor, levels, level))}
        >
          {formatLevel(level)}
        </Chip>
      ))}
    </ChipField>
  );
}

/** Returns a factor's label with its unit. */
export function labelOf({ label, unit }: FactorProps["factor"]): string {
  return label + (unit ? ` (${unit})` : "");
}

/** Returns what a factor's level may be. */
export function hintOf({ about, pattern, minimum, maximum, unit }: FactorProps["factor"]): string {
  const [low, high] = [formatNumber(minimum), formatNumber(maximum)];
  const bounds = pattern === null ? t("bounds", { low, high, unit }).trim() : "";
  return [about, bounds].filter(Boolean).join("; ");
}

/** A text field of levels: numbers by commas or as a sweep, or `free` texts by spaces. */
function Typed({ document, factor, errors, onTyped, free }: FactorProps & { free: boolean }) {
  const parse: (text: string) => Level[] | Sweep = free ? parseWords : parseField;
  const format = (value: Level[] | Sweep) =>
    free && !isSweep(value) ? formatWords(value) : formatField(value);
  const field = fieldOf(document, factor);
  const value = isSweep(field) ? field : levelsOf(document, factor);
  const [text, setText] = useState(format(value));
  const shown = sameField(parse(text), value) ? text : format(value);
  const levels = isSweep(value) && t("levels", { count: levelsOf(document, factor).length });
  return (
    <Field
      label={labelOf(factor)}
      hint={[hintOf(factor), levels].filter(Boolean).join("; ")}
      errors={errorsAt(errors, `/factors/${factor.name}`)}
    >
      {(ids) => (
        <input
          {...ids}
          value={shown}
          inputMode="text"
          placeholder={free ? formatLevel("") : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            onTyped(factor, parse(event.target.value));
          }}
        />
      )}
    </Field>
  );
}
