const FIELDS = ":is(input, select, textarea, button)";
const REFUSED = `[aria-invalid="true"], [data-invalid] ${FIELDS}, [data-factor]:has([data-invalid]) ${FIELDS}`;

/** Moves the focus to the first field of a form that is refused. */
export function showRefused(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>(REFUSED)?.focus();
}
