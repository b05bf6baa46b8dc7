/** Which refusals belong to which field, by JSON pointer. */
import { ApiError, type FieldError } from "@/api/client";

export function fieldErrors(error: unknown): readonly FieldError[] {
  return error instanceof ApiError ? error.errors : [];
}

/** The errors at a pointer or below it. */
export function errorsAt(errors: readonly FieldError[], pointer: string): FieldError[] {
  return errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
}

/** The errors that no field of the form shows. */
export function unplaced(errors: readonly FieldError[], pointers: readonly string[]): FieldError[] {
  return errors.filter((error) => !pointers.some((pointer) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`)));
}
