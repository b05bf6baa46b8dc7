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

/** One number; any other text goes to the server as it is typed, which refuses it. */
export function Count({ value, onChange, ...rest }: Omit<TextProps, "value" | "onChange"> & { value: number; onChange: (value: number) => void }) {
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

/** One number or none: an empty field is null. */
export function OptionalCount({ value, onChange, ...rest }: Omit<TextProps, "value" | "onChange"> & { value: number | null; onChange: (value: number | null) => void }) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const read = (written: string) => (written.trim() === "" ? null : (parseNumber(written) as number));
  const shown = read(text) === value ? text : String(value ?? "");
  return (
    <Text
      {...rest}
      value={shown}
      onChange={(next) => {
        setText(next);
        onChange(read(next));
      }}
    />
  );
}
