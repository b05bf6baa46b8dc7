import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { Button } from "@/components/Button";
import { Chip, ChipField, Field } from "@/components/Field";
import { Note } from "@/components/Status";
import { useKept } from "@/components/useKept";
import { messages } from "@/messages";
import styles from "./Webhooks.module.css";
import { events, type EventName } from "./webhookText";

const t = messages("team");

export interface WebhookDraft {
  url: string;
  description: string;
  events: EventName[];
}

interface Props {
  initial: WebhookDraft;
  /** The destination of a webhook cannot be changed. */
  fixedUrl?: boolean;
  submit: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (draft: WebhookDraft) => void;
  onCancel?: () => void;
}

/** Destination, events and description of a webhook; refused values are marked at their fields. */
export function WebhookForm({ initial, fixedUrl = false, submit, busy, error, onSubmit, onCancel }: Props) {
  const [draft, setDraft] = useKept(`webhook ${initial.url}`, initial);
  const errors = fieldErrors(error);
  const toggle = (name: EventName) =>
    setDraft({ ...draft, events: draft.events.includes(name) ? draft.events.filter((each) => each !== name) : [...draft.events, name] });
  const elsewhere = errorsOutside(errors, ["/url", "/description", "/events"]);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(draft);
      }}
    >
      {!fixedUrl && (
        <Field label={t("destination")} hint={t("destinationHint")} errors={errorsAt(errors, "/url")}>
          {(ids) => <input {...ids} type="url" required maxLength={2000} placeholder="https://hooks.example.org/plimsoll" spellCheck={false} autoComplete="off" value={draft.url} onChange={(event) => setDraft({ ...draft, url: event.target.value })} />}
        </Field>
      )}
      <Field label={t("description")} errors={errorsAt(errors, "/description")}>
        {(ids) => <input {...ids} maxLength={200} value={draft.description} onChange={(event) => setDraft({ ...draft, description: event.target.value })} />}
      </Field>
      <ChipField label={t("events")} hint={draft.events.length === 0 ? t("chooseOne") : events().filter(({ name }) => draft.events.includes(name)).map(({ about }) => about).join("; ")} errors={errorsAt(errors, "/events")}>
        {events().map(({ name }) => (
          <Chip key={name} on={draft.events.includes(name)} onToggle={() => toggle(name)}>
            {name}
          </Chip>
        ))}
      </ChipField>
      {error && (errors.length === 0 || elsewhere.length > 0) && <Note tone="bad">{elsewhere[0]?.detail ?? error.message}</Note>}
      <p className={styles.buttons}>
        <Button type="submit" kind="primary" busy={busy} disabled={draft.events.length === 0}>
          {submit}
        </Button>
        {onCancel && (
          <Button kind="ghost" onClick={onCancel}>
            {t("discard")}
          </Button>
        )}
      </p>
    </form>
  );
}
