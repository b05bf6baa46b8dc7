import { useState } from "react";
import type { FieldError } from "@/api/client";
import type { ExperimentDocument, Factor, Factors, Host, Level } from "@/api/types";
import { formatLevel, formatNumber } from "@/components/format";
import { formatList, formatWords, levelsOf, parseList, parseWords, sameLevels, toggled } from "./document";
import { errorsAt } from "./fieldErrors";
import { Chip, ChipField, Field } from "./Field";
import { PathChoices } from "./PathChoices";

export interface FactorProps {
  document: ExperimentDocument;
  vocabulary: Factors;
  factor: Factor;
  errors: readonly FieldError[];
  host: Host | undefined;
  onLevels: (factor: Factor, levels: readonly Level[]) => void;
}

/** One factor as the field that suits it: choices, free words, or numbers. */
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

/** Levels as one line of text: numbers by commas, free words by spaces. */
function Typed({ document, factor, errors, onLevels, free }: FactorProps & { free: boolean }) {
  const [parse, format] = free ? [parseWords, formatWords] : [parseList, formatList];
  const levels = levelsOf(document, factor);
  const [text, setText] = useState(format(levels));
  const shown = sameLevels(parse(text), levels) ? text : format(levels);
  const bounds = free ? "" : `${formatNumber(factor.minimum)} to ${formatNumber(factor.maximum)}${factor.unit ? ` ${factor.unit}` : ""}`;
  return (
    <Field
      label={factor.label + (factor.unit ? ` (${factor.unit})` : "")}
      hint={[factor.about, bounds].filter(Boolean).join("; ")}
      errors={errorsAt(errors, `/factors/${factor.name}`)}
    >
      {(ids) => (
        <input
          {...ids}
          value={shown}
          inputMode={free ? "text" : "numeric"}
          placeholder={free ? "not set" : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            onLevels(factor, parse(event.target.value));
          }}
        />
      )}
    </Field>
  );
}
