import type { WeeklyWindow } from "@/api/generated";
import { errorsAt, type FieldError } from "@/api/errors";
import { Button } from "@/components/Button";
import { Chip, ChipField, Field } from "@/components/Field";
import { DAYS, dayName, type Day, type PolicyFields } from "./policyFields";
import styles from "./Policy.module.css";

interface Props {
  fields: PolicyFields;
  onChange: (fields: PolicyFields) => void;
  errors: readonly FieldError[];
}

const NEW: WeeklyWindow = { days: ["mon", "tue", "wed", "thu", "fri"], opens: "20:00", closes: "06:00" };

/** The weekly windows in which trials may start, and their time zone. */
export function HoursFields({ fields, onChange, errors }: Props) {
  const { windows } = fields;
  const change = (index: number, changes: Partial<WeeklyWindow>) => onChange({ ...fields, windows: windows.map((each, at) => (at === index ? { ...each, ...changes } : each)) });
  return (
    <fieldset className={styles.hours}>
      <legend>Hours in which trials may start</legend>
      {windows.length === 0 && <p className={styles.quiet}>At any time.</p>}
      {windows.map((window, index) => (
        <WindowRow key={index} number={index + 1} window={window} errors={errors.filter(({ pointer }) => pointer.startsWith(`/hours/windows/${index}`))} onChange={(changes) => change(index, changes)} onRemove={() => onChange({ ...fields, windows: windows.filter((_, at) => at !== index) })} />
      ))}
      {windows.length > 0 && (
        <Field label="Time zone" hint="An IANA name, as Europe/Berlin; times follow its summer time" errors={errorsAt(errors, "/hours/time_zone")}>
          {(ids) => <input {...ids} required maxLength={64} spellCheck={false} value={fields.zone} onChange={(event) => onChange({ ...fields, zone: event.target.value })} />}
        </Field>
      )}
      <div>
        <Button disabled={windows.length >= 21} onClick={() => onChange({ ...fields, windows: [...windows, NEW] })}>
          Add hours
        </Button>
      </div>
    </fieldset>
  );
}

interface RowProps {
  number: number;
  window: WeeklyWindow;
  errors: readonly FieldError[];
  onChange: (changes: Partial<WeeklyWindow>) => void;
  onRemove: () => void;
}

function WindowRow({ number, window, errors, onChange, onRemove }: RowProps) {
  const toggle = (day: Day) => onChange({ days: DAYS.filter((each) => (each === day) !== window.days.includes(each)) });
  const at = (name: string) => errors.filter(({ pointer }) => pointer.endsWith(`/${name}`));
  const isNextDay = window.closes <= window.opens;
  return (
    <div className={styles.window} role="group" aria-label={`Hours ${number}`}>
      <ChipField label="Days" errors={errors.filter(({ pointer }) => !/\/(opens|closes)$/.test(pointer))}>
        {DAYS.map((day) => (
          <Chip key={day} on={window.days.includes(day)} onToggle={() => toggle(day)}>
            {dayName(day)}
          </Chip>
        ))}
      </ChipField>
      <Field label="From" errors={at("opens")}>
        {(ids) => <input {...ids} required maxLength={5} placeholder="20:00" value={window.opens} onChange={(event) => onChange({ opens: event.target.value })} />}
      </Field>
      <Field label={isNextDay ? "To, the day after" : "To"} errors={at("closes")}>
        {(ids) => <input {...ids} required maxLength={5} placeholder="06:00" value={window.closes} onChange={(event) => onChange({ closes: event.target.value })} />}
      </Field>
      <Button onClick={onRemove} aria-label={`Remove hours ${number}`}>
        Remove
      </Button>
    </div>
  );
}
