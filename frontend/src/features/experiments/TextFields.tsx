import { useState } from "react";
import type { FieldError } from "@/api/errors";
import { Field } from "@/components/Field";
import { parseNumber } from "./document";

interface TextProps {
  label: string;
  hint?: string;
  value: string;
  errors: readonly FieldError[];
  onChange: (value: string) => void;
}

export function Text({ label, hint, value, errors, onChange }: TextProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(ids) => <input {...ids} value={value ?? ""} spellCheck={false} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

type NumberProps<T> = Omit<TextProps, "value" | "onChange"> & { value: T; onChange: (value: T) => void };

/** A field whose typed text is kept as long as it is parsed to the current value. */
function Parsed<T>({ value, parse, onChange, ...rest }: NumberProps<T> & { parse: (text: string) => T }) {
  const format = (shown: T) => String(shown ?? "");
  const [text, setText] = useState(format(value));
  const write = (next: string) => {
    setText(next);
    onChange(parse(next));
  };
  return <Text {...rest} value={parse(text) === value ? text : format(value)} onChange={write} />;
}

/** A number; any other text is passed on unchanged, and refused by the server. */
export function Count(props: NumberProps<number>) {
  return <Parsed {...props} parse={(text) => parseNumber(text) as number} />;
}

/** A number, or null for an empty field. */
export function OptionalCount(props: NumberProps<number | null>) {
  return <Parsed {...props} parse={(text) => (text.trim() === "" ? null : (parseNumber(text) as number))} />;
}
