import { useState } from "react";
import type { FieldError } from "@/api/client";
import type { ExperimentDocument, Factor, Factors, Level } from "@/api/types";
import { formatLevel, formatNumber } from "@/components/format";
import styles from "./DefinitionForm.module.css";
import { formatList, levelsOf, parseList, parseNumber, sameLevels, toggled, withBaseline, withLevels } from "./document";
import { errorsAt } from "./fieldErrors";
import { Chip, ChipField, Field } from "./Field";

interface Props {
  document: ExperimentDocument;
  onChange: (document: ExperimentDocument) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

/** The definition as fields; the server says what is wrong with any of them. */
export function DefinitionForm({ document, onChange, factors, errors }: Props) {
  const chips = factors.factors.filter((factor) => factor.choices.length > 0);
  const lists = factors.factors.filter((factor) => factor.choices.length === 0);
  return (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <div className={styles.two}>
        <Text label="Title" value={document.title} errors={errorsAt(errors, "/title")} onChange={(title) => onChange({ ...document, title })} />
        <Text label="Name" hint="lower case letters, digits, . _ -" value={document.name} errors={errorsAt(errors, "/name")} onChange={(name) => onChange({ ...document, name })} />
      </div>
      {chips.map((factor) => (
        <Choices key={factor.name} {...{ document, onChange, factor, errors }} />
      ))}
      <div className={styles.lists}>
        {lists.map((factor) => (
          <NumberList key={factor.name} {...{ document, onChange, factor, errors }} />
        ))}
      </div>
      <div className={styles.lists}>
        <Count label="Rounds" hint="10 or more; fewer than 6 give no verdict" value={document.rounds} errors={errorsAt(errors, "/rounds")} onChange={(rounds) => onChange({ ...document, rounds })} />
        <Count label="Seed" hint="of the shuffled order" value={document.seed} errors={errorsAt(errors, "/seed")} onChange={(seed) => onChange({ ...document, seed })} />
        <Count label="Equivalence margin" hint="0.05 is 5 %" value={document.margin ?? 0.05} errors={errorsAt(errors, "/margin")} onChange={(margin) => onChange({ ...document, margin })} />
      </div>
      <Baseline {...{ document, onChange, factors, errors }} />
      <Metrics {...{ document, onChange, factors, errors }} />
    </form>
  );
}

interface TextProps {
  label: string;
  hint?: string;
  value: string;
  errors: readonly FieldError[];
  onChange: (value: string) => void;
}

function Text({ label, hint, value, errors, onChange }: TextProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(ids) => <input {...ids} value={value ?? ""} spellCheck={false} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** One number; what is typed and is none goes to the server as it stands, to be refused by it. */
function Count({ value, onChange, ...rest }: Omit<TextProps, "value" | "onChange"> & { value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(String(value));
  const shown = parseNumber(text) === value ? text : String(value ?? "");
  return (
    <Text
      {...rest}
      value={shown}
      onChange={(next) => {
        setText(next);
        onChange(parseNumber(next) as number);
      }}
    />
  );
}

interface FactorProps extends Omit<Props, "factors"> {
  factor: Factor;
}

function Choices({ document, onChange, factor, errors }: FactorProps) {
  const levels = levelsOf(document, factor);
  return (
    <ChipField label={factor.label} count={`${levels.length} of ${factor.choices.length}`} errors={errorsAt(errors, `/factors/${factor.name}`)}>
      {factor.choices.map((level) => (
        <Chip key={String(level)} on={levels.includes(level)} onToggle={() => onChange(withLevels(document, factor, toggled(factor, levels, level)))}>
          {formatLevel(level)}
        </Chip>
      ))}
    </ChipField>
  );
}

function NumberList({ document, onChange, factor, errors }: FactorProps) {
  const levels = levelsOf(document, factor);
  const [text, setText] = useState(formatList(levels));
  const shown = sameLevels(parseList(text), levels) ? text : formatList(levels);
  const unit = factor.unit ? ` ${factor.unit}` : "";
  return (
    <Field
      label={factor.label + (factor.unit ? ` (${factor.unit})` : "")}
      hint={`${formatNumber(factor.minimum)} to ${formatNumber(factor.maximum)}${unit}`}
      errors={errorsAt(errors, `/factors/${factor.name}`)}
    >
      {(ids) => (
        <input
          {...ids}
          value={shown}
          inputMode="numeric"
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            onChange(withLevels(document, factor, parseList(event.target.value)));
          }}
        />
      )}
    </Field>
  );
}

/** Which cell the others are compared with: a level of each factor, or each cell's own. */
function Baseline({ document, onChange, factors, errors }: Props) {
  const offered = factors.factors.filter((factor) => levelsOf(document, factor).length > 1 || document.baseline?.[factor.name] !== undefined);
  const found = errorsAt(errors, "/baseline");
  return (
    <fieldset className={styles.baseline}>
      <legend>Baseline: what every cell is compared with</legend>
      <div className={styles.lists}>
        {offered.map((factor) => {
          const own = found.filter((error) => error.pointer === `/baseline/${factor.name}`);
          const levels: Level[] = levelsOf(document, factor);
          const named = document.baseline?.[factor.name];
          return (
            <Field key={factor.name} label={factor.label} errors={own}>
              {(ids) => (
                <select
                  {...ids}
                  value={named === undefined ? "" : String(named)}
                  onChange={(event) => onChange(withBaseline(document, factor.name, levels.find((level) => String(level) === event.target.value)))}
                >
                  <option value="">each cell’s own</option>
                  {(named !== undefined && !levels.includes(named) ? [...levels, named] : levels).map((level) => (
                    <option key={String(level)} value={String(level)}>
                      {formatLevel(level)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          );
        })}
      </div>
      {found
        .filter((error) => !offered.some((factor) => error.pointer === `/baseline/${factor.name}`))
        .map((error) => (
          <p key={error.pointer} className={styles.error}>
            ✕ {error.detail}
          </p>
        ))}
    </fieldset>
  );
}

function Metrics({ document, onChange, factors, errors }: Props) {
  const chosen = document.metrics ?? [];
  return (
    <ChipField label="Metrics that get a verdict" errors={errorsAt(errors, "/metrics")} hint="The first is the one that the headline speaks of.">
      {factors.metrics.map((metric) => (
        <Chip
          key={metric.name}
          on={chosen.includes(metric.name)}
          onToggle={() =>
            onChange({ ...document, metrics: chosen.includes(metric.name) ? chosen.filter((name) => name !== metric.name) : [...chosen, metric.name] })
          }
        >
          {metric.label}
        </Chip>
      ))}
    </ChipField>
  );
}
