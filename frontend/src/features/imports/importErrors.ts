/** Assigns errors of an import to logs, definition and fields. Pure. */
import { errorsAt, errorsOutside, type FieldError } from "@/api/errors";
import type { LogDraft } from "./logs";

const EXPERIMENT = "/experiment";
const FIELDS = [EXPERIMENT, "/host", "/environment"];
const OF_LOG = /^\/logs\/(\d+)/;

/** Returns the errors of the definition, with pointers into it. */
export function experimentErrors(errors: readonly FieldError[]): FieldError[] {
  return errorsAt(errors, EXPERIMENT).map((error) => ({ ...error, pointer: error.pointer.slice(EXPERIMENT.length) }));
}

/** Returns the errors of one log, by its index in the request; none where it was changed since. */
export function logErrors(errors: readonly FieldError[], sent: readonly LogDraft[], draft: LogDraft): FieldError[] {
  const index = sent.indexOf(draft);
  return index < 0 ? [] : errorsAt(errors, `/logs/${index}`);
}

/** Returns the errors without those of logs that were changed or removed since. */
export function currentErrors(errors: readonly FieldError[], sent: readonly LogDraft[], drafts: readonly LogDraft[]): FieldError[] {
  return errors.filter(({ pointer }) => {
    const log = OF_LOG.exec(pointer);
    return log === null || drafts.some((draft) => draft === sent[Number(log[1])]);
  });
}

/** Returns the errors that no field and no log shows. */
export function generalErrors(errors: readonly FieldError[]): FieldError[] {
  return errorsOutside(errors, FIELDS).filter(({ pointer }) => !OF_LOG.test(pointer));
}
