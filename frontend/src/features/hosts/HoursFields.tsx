import type { WeeklyWindow } from "@/api/generated";
import { errorsAt, type FieldError } from "@/api/errors";
import { Button } from "@/components/Button";
import { Chip, ChipField, Field } from "@/components/Field";
import { messages } from "@/messages";
import { DAYS, dayName, type Day, type PolicyFields } from "./policyFields";
import styles from "./Policy.module.css";

const t = messages("hosts");

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
      <legend>{t("hoursLegend")}</legend>
      {windows.length === 0 && <p className={styles.quiet}>{t("anyTime")}</p>}
      {windows.map((window, index) => (
        <WindowRow key={index} number={index + 1} window={window} errors={errors.filter(({ pointer }) => pointer.startsWith(`/hours/windows/${index}`))} onChange={(changes) => change(index, changes)} onRemove={() => onChange({ ...fields, windows: windows.filter((_, at) => at !== index) })} />
      ))}
      {windows.length > 0 && (
        <Field label={t("timeZone")} hint={t("timeZoneHint")} errors={errorsAt(errors, "/hours/time_zone")}>
          {(ids) => <input {...ids} required maxLength={64} spellCheck={false} value={fields.zone} onChange={(event) => onChange({ ...fields, zone: event.target.value })} />}
        </Field>
      )}
      <div>
        <Button disabled={windows.length >= 21} onClick={() => onChange({ ...fields, windows: [...windows, NEW] })}>
          {t("addHours")}
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
    <div className={styles.window} role="group" aria-label={t("hoursNumber", { number })}>
      <ChipField label={t("days")} errors={errors.filter(({ pointer }) => !/\/(opens|closes)$/.test(pointer))}>
        {DAYS.map((day) => (
          <Chip key={day} on={window.days.includes(day)} onToggle={() => toggle(day)}>
            {dayName(day)}
          </Chip>
        ))}
      </ChipField>
      <Field label={t("from")} errors={at("opens")}>
        {(ids) => <input {...ids} required maxLength={5} placeholder="20:00" value={window.opens} onChange={(event) => onChange({ opens: event.target.value })} />}
      </Field>
      <Field label={isNextDay ? t("nextDay") : t("toTime")} errors={at("closes")}>
        {(ids) => <input {...ids} required maxLength={5} placeholder="06:00" value={window.closes} onChange={(event) => onChange({ closes: event.target.value })} />}
      </Field>
      <Button onClick={onRemove} aria-label={t("removeHours", { number })}>
        {t("remove")}
      </Button>
    </div>
  );
}
