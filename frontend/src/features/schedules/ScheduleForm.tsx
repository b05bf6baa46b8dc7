import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import { errorsAt, fieldErrors } from "@/api/errors";
import type { Schedule, ScheduleStart } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Chip, ChipField, Field } from "@/components/Field";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./schedules.module.css";
import { examples, ownZone, timeIn } from "./texts";

const t = messages("schedules");

interface Props {
  initial: Schedule | null;
  busy: boolean;
  error: unknown;
  onSubmit: (fields: ScheduleStart) => void;
  onCancel: () => void;
}

/** The times and hosts of a schedule, with the next times of the expression while it is written. */
export function ScheduleForm({ initial, busy, error, onSubmit, onCancel }: Props) {
  const [cron, setCron] = useState(initial?.cron ?? "0 2 * * *");
  const [zone, setZone] = useState(initial?.time_zone ?? ownZone());
  const [hosts, setHosts] = useState<readonly string[]>(initial?.hosts ?? []);
  const [label, setLabel] = useState(initial?.host_label ?? "");
  const [byLabel, setByLabel] = useState(initial !== null && initial.hosts === null);
  const [client, setClient] = useState(initial?.client_host ?? "");
  const known = useQuery(queries.hosts());
  const errors = fieldErrors(error);
  const zones = useId();
  const all = known.data ?? [];
  const submit = () => onSubmit({ cron, time_zone: zone, ...(byLabel ? { host_label: label } : { hosts: [...hosts] }), client_host: client || null });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={styles.row}>
        <Field label={t("example")} errors={[]}>
          {(ids) => (
            <select {...ids} value={examples().some(({ value }) => value === cron) ? cron : ""} onChange={(event) => event.target.value && setCron(event.target.value)}>
              <option value="">{t("ownTimes")}</option>
              {examples().map(({ value, label: name }) => <option key={value} value={value}>{name}</option>)}
            </select>
          )}
        </Field>
        <Field label={t("cron")} hint={t("cronHint")} errors={errorsAt(errors, "/cron")}>
          {(ids) => <input {...ids} required maxLength={100} spellCheck={false} value={cron} onChange={(event) => setCron(event.target.value)} />}
        </Field>
        <Field label={t("zone")} hint={t("zoneHint")} errors={errorsAt(errors, "/time_zone")}>
          {(ids) => <input {...ids} required maxLength={64} list={zones} spellCheck={false} value={zone} onChange={(event) => setZone(event.target.value)} />}
        </Field>
        <datalist id={zones}>{Intl.supportedValuesOf("timeZone").map((name) => <option key={name} value={name} />)}</datalist>
      </div>
      <Preview cron={cron} zone={zone} />
      <fieldset className={styles.options}>
        <legend>{t("whichHosts")}</legend>
        <label><input type="radio" name="which" checked={!byLabel} onChange={() => setByLabel(false)} /> {t("named")}</label>
        <label><input type="radio" name="which" checked={byLabel} onChange={() => setByLabel(true)} /> {t("byLabel")}</label>
      </fieldset>
      {byLabel ? (
        <Field label={t("label")} hint={t("labelHint")} errors={errorsAt(errors, "/host_label")}>
          {(ids) => <input {...ids} required maxLength={64} spellCheck={false} value={label} onChange={(event) => setLabel(event.target.value)} />}
        </Field>
      ) : (
        <ChipField label={t("hosts")} hint={t("hostsHint")} errors={errors.filter(({ pointer }) => pointer.startsWith("/hosts"))}>
          {all.map(({ name }) => (
            <Chip key={name} on={hosts.includes(name)} onToggle={() => setHosts(hosts.includes(name) ? hosts.filter((one) => one !== name) : [...hosts, name])}>{name}</Chip>
          ))}
        </ChipField>
      )}
      {(all.length > 1 || client !== "") && (
        <Field label={t("clientHost")} errors={errorsAt(errors, "/client_host")}>
          {(ids) => (
            <select {...ids} value={client} onChange={(event) => setClient(event.target.value)}>
              <option value="">{t("noClientHost")}</option>
              {all.filter(({ name }) => byLabel || !hosts.includes(name)).map(({ name }) => <option key={name} value={name}>{name}</option>)}
            </select>
          )}
        </Field>
      )}
      {error != null && errors.length === 0 && <Failure error={error} />}
      <div className={styles.actions}>
        <Button type="submit" busy={busy} disabled={!byLabel && hosts.length === 0}>{initial ? t("save") : t("create")}</Button>
        <Button kind="ghost" onClick={onCancel}>{t("cancel")}</Button>
      </div>
    </form>
  );
}

/** The next times of an expression, in its zone; what is wrong with it where it cannot be read. */
function Preview({ cron, zone }: { cron: string; zone: string }) {
  const wanted = useDeferredValue(`${cron}\n${zone}`);
  const [expression = "", name = ""] = wanted.split("\n");
  const times = useQuery({ ...queries.scheduleTimes(expression, name), placeholderData: (before) => before });
  const wrong = fieldErrors(times.error)[0]?.detail;
  return (
    <div aria-live="polite">
      <p className={styles.quiet}>{t("preview")}</p>
      {wrong ? <p className={styles.quiet}>✕ {wrong}</p> : <ul className={styles.times}>{times.data?.next_times.map((time) => <li key={time}>{timeIn(time, zone)}</li>)}</ul>}
    </div>
  );
}
