import { useState } from "react";
import type { HostDetail } from "@/api/generated";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { Button } from "@/components/Button";
import { Chip, ChipField, Field } from "@/components/Field";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import { HoursFields } from "./HoursFields";
import { PolicyQuestion } from "./PolicyQuestion";
import { engineNames, fieldsOf, policyOf, type Engine } from "./policyFields";
import { usePolicy } from "./usePolicy";
import styles from "./Policy.module.css";

const t = messages("hosts");

interface Props {
  host: HostDetail;
  onDone: () => void;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The form of a host's policy, for administrators of the installation. */
export function PolicyForm({ host, onDone }: Props) {
  const [fields, setFields] = useState(() => fieldsOf(host.policy ?? {}, ZONE));
  // That of the policy from which the form was filled, not of one that somebody stored since.
  const [version] = useState(host.policy_version);
  const { save, question, forget } = usePolicy(host.name, version, onDone);
  const errors = fieldErrors(save.error);
  const engines = Object.entries(engineNames()) as [Engine, string][];
  const shown = (pointer: string) => errors.filter((error) => error.pointer.startsWith(pointer));
  const elsewhere = errorsOutside(errors, ["/engines", "/programs", "/longest_trial_s", "/hours", "/partners"]);
  return (
    <form
      className={styles.form}
      aria-label={t("policy")}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ policy: policyOf(fields, host.host_network ?? true), isConfirmed: false });
      }}
    >
      <ChipField label={t("allowedDaemons")} errors={shown("/engines")}>
        {engines.map(([engine, label]) => (
          <Chip key={engine} on={fields.engines.includes(engine)} onToggle={() => setFields({ ...fields, engines: engines.map(([name]) => name).filter((name) => (name === engine) !== fields.engines.includes(name)) })}>
            {label}
          </Chip>
        ))}
      </ChipField>
      <div className={styles.pair}>
        <Field label={t("programsBeside")} errors={fields.programs === "some" ? [] : shown("/programs")}>
          {(ids) => (
            <select {...ids} value={fields.programs} onChange={(event) => setFields({ ...fields, programs: event.target.value as typeof fields.programs })}>
              <option value="any">{t("allPrograms")}</option>
              <option value="none">{t("none")}</option>
              <option value="some">{t("onlyThese")}</option>
            </select>
          )}
        </Field>
        {fields.programs === "some" && (
          <Field label={t("programNames")} hint={t("byCommas")} errors={shown("/programs")}>
            {(ids) => <input {...ids} required spellCheck={false} value={fields.names} onChange={(event) => setFields({ ...fields, names: event.target.value })} />}
          </Field>
        )}
        <Field label={t("longestTrialS")} hint={t("longestHint")} errors={errorsAt(errors, "/longest_trial_s")}>
          {(ids) => <input {...ids} inputMode="numeric" pattern="[0-9]*" maxLength={5} value={fields.longest} onChange={(event) => setFields({ ...fields, longest: event.target.value })} />}
        </Field>
      </div>
      <Field label={t("partners")} hint={t("partnersHint")} errors={shown("/partners")}>
        {(ids) => (
          <input
            {...ids}
            spellCheck={false}
            value={fields.partners}
            onChange={(event) => setFields({ ...fields, partners: event.target.value })}
          />
        )}
      </Field>
      <HoursFields fields={fields} onChange={setFields} errors={errors} />
      {save.error && (errors.length === 0 || elsewhere.length > 0) && <Failure error={save.error} />}
      <div className={styles.row}>
        <Button type="submit" kind="primary" busy={save.isPending}>
          {t("savePolicy")}
        </Button>
        <Button onClick={onDone}>{t("keepAsWas")}</Button>
      </div>
      <PolicyQuestion host={host.name} effect={question?.effect} busy={save.isPending} onKeep={forget} onSave={() => question && save.mutate({ policy: question.policy, isConfirmed: true })} />
    </form>
  );
}
