import { useState } from "react";
import type { Level, Sweep } from "@/api/draft";
import { formatLevel, formatNumber } from "@/components/format";
import { isSweep } from "@/components/sweep";
import { fieldOf, formatField, formatWords, levelsOf, parseField, parseWords, sameField, toggled } from "./document";
import { errorsAt } from "@/api/errors";
import { Chip, ChipField, Field } from "@/components/Field";
import { messages } from "@/messages";
import type { FactorProps } from "./factorProps";
import { PathChoices } from "./PathChoices";

const t = messages("experiments");

/** The field of a factor: paths, choices, or text. */
export function FactorField(props: FactorProps) {
  const { factor } = props;
  if (factor.name === "path") return <PathChoices {...props} />;
  if (factor.choices.length > 0) return <Choices {...props} />;
  return <Typed {...props} free={factor.pattern !== null} />;
}

function Choices({ document, factor, errors, onLevels }: FactorProps) {
  const levels = levelsOf(document, factor);
  const known = [...factor.choices, ...levels.filter((level) => !factor.choices.includes(level))];
  return (
    <ChipField label={factor.label} hint={factor.about} errors={errorsAt(errors, `/factors/${factor.name}`)}>
      {known.map((level) => (
        <Chip key={String(level)} on={levels.includes(level)} onToggle={() => onLevels(factor, toggled(factor, levels, level))}>
          {formatLevel(level)}
        </Chip>
      ))}
    </ChipField>
  );
}

/** A text field of levels: numbers separated by commas or as a sweep, or `free` texts separated by spaces. */
function Typed({ document, factor, errors, onTyped, free }: FactorProps & { free: boolean }) {
  const parse: (text: string) => Level[] | Sweep = free ? parseWords : parseField;
  const format = (value: Level[] | Sweep) => (free && !isSweep(value) ? formatWords(value) : formatField(value));
  const field = fieldOf(document, factor);
  const value = isSweep(field) ? field : levelsOf(document, factor);
  const [text, setText] = useState(format(value));
  const shown = sameField(parse(text), value) ? text : format(value);
  const bounds = free ? "" : t("bounds", { low: formatNumber(factor.minimum), high: formatNumber(factor.maximum), unit: factor.unit }).trim();
  return (
    <Field
      label={factor.label + (factor.unit ? ` (${factor.unit})` : "")}
      hint={[factor.about, bounds, isSweep(value) && t("levels", { count: levelsOf(document, factor).length })].filter(Boolean).join("; ")}
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
