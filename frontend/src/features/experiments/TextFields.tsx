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

/** A value as text; the text stays as it is typed while it is read as the same value. */
function Read<T>({ value, read, onChange, ...rest }: NumberProps<T> & { read: (text: string) => T }) {
  const format = (shown: T) => String(shown ?? "");
  const [text, setText] = useState(format(value));
  const write = (next: string) => {
    setText(next);
    onChange(read(next));
  };
  return <Text {...rest} value={read(text) === value ? text : format(value)} onChange={write} />;
}

/** One number; any other text goes to the server as it is typed, which refuses it. */
export function Count(props: NumberProps<number>) {
  return <Read {...props} read={(text) => parseNumber(text) as number} />;
}

/** One number or none: an empty field is null. */
export function OptionalCount(props: NumberProps<number | null>) {
  return <Read {...props} read={(text) => (text.trim() === "" ? null : (parseNumber(text) as number))} />;
}
