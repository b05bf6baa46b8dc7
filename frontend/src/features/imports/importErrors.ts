/** Which part of an import an error belongs to: a log, the definition or a field. Pure. */
import { errorsAt, errorsOutside, type FieldError } from "@/api/errors";
import type { LogDraft } from "./logs";

const EXPERIMENT = "/experiment";
const PLACED = [EXPERIMENT, "/host", "/environment"];
const OF_LOG = /^\/logs\/(\d+)/;

/** Errors of the definition, as the editor shows them: without the pointer's first step. */
export function experimentErrors(errors: readonly FieldError[]): FieldError[] {
  return errorsAt(errors, EXPERIMENT).map((error) => ({ ...error, pointer: error.pointer.slice(EXPERIMENT.length) }));
}

/** Errors of one log: by its index among those that were sent, as long as it is unchanged. */
export function logErrors(errors: readonly FieldError[], sent: readonly LogDraft[], draft: LogDraft): FieldError[] {
  const place = sent.indexOf(draft);
  return place < 0 ? [] : errorsAt(errors, `/logs/${place}`);
}

/** The errors that still apply: not those of logs that were changed or removed since. */
export function currentErrors(errors: readonly FieldError[], sent: readonly LogDraft[], drafts: readonly LogDraft[]): FieldError[] {
  return errors.filter(({ pointer }) => {
    const log = OF_LOG.exec(pointer);
    return log === null || drafts.some((draft) => draft === sent[Number(log[1])]);
  });
}

/** Errors that no field and no log shows. */
export function unplacedErrors(errors: readonly FieldError[]): FieldError[] {
  return errorsOutside(errors, PLACED).filter(({ pointer }) => !OF_LOG.test(pointer));
}
