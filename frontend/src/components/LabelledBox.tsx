import type { FieldError } from "@/api/errors";
import { Field } from "./Field";

interface Props {
  label: string;
  labelHidden?: boolean;
  hint?: React.ReactNode;
  errors?: readonly FieldError[];
  children: (ids: { id?: string; "aria-label"?: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => React.ReactNode;
}

/** A box with its label above it, or with its label for screen readers only. */
export function LabelledBox({ label, labelHidden = false, hint, errors = [], children }: Props) {
  if (labelHidden) return children({ "aria-label": label });
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(ids) => children(ids)}
    </Field>
  );
}
