/** Where the refusals of an import stand: at their log, in the definition, at a field. Pure. */
import type { FieldError } from "@/api/client";
import { errorsAt, unplaced } from "@/components/fieldErrors";
import type { LogDraft } from "./logs";

const EXPERIMENT = "/experiment";
const PLACED = [EXPERIMENT, "/host", "/environment"];
const OF_LOG = /^\/logs\/(\d+)/;

/** Refusals about the definition, as the editor knows them: without the pointer's first step. */
export function ofExperiment(errors: readonly FieldError[]): FieldError[] {
  return errorsAt(errors, EXPERIMENT).map((error) => ({ ...error, pointer: error.pointer.slice(EXPERIMENT.length) }));
}

/** Refusals of one log: by its place among those that were sent, as long as it is as it was sent. */
export function ofLog(errors: readonly FieldError[], sent: readonly LogDraft[], draft: LogDraft): FieldError[] {
  const place = sent.indexOf(draft);
  return place < 0 ? [] : errorsAt(errors, `/logs/${place}`);
}

/** The refusals that still stand: not those of logs that were changed or removed since. */
export function standing(errors: readonly FieldError[], sent: readonly LogDraft[], drafts: readonly LogDraft[]): FieldError[] {
  return errors.filter(({ pointer }) => {
    const log = OF_LOG.exec(pointer);
    return log === null || drafts.some((draft) => draft === sent[Number(log[1])]);
  });
}

/** Refusals that no field and no log shows. */
export function elsewhere(errors: readonly FieldError[]): FieldError[] {
  return unplaced(errors, PLACED).filter(({ pointer }) => !OF_LOG.test(pointer));
}
