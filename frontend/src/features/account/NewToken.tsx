import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAt, errorsOutside, fieldErrors } from "@/api/errors";
import { createToken } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { FieldErrors } from "@/components/FieldErrors";
import { SecretOnce } from "@/components/SecretOnce";
import { Failure } from "@/components/Status";
import { lifetimes, SCOPES, type Scope } from "@/components/tokenChoices";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./Account.module.css";

const t = messages("account");

const POINTERS = ["/name", "/scopes", "/expires_in_days"];

/** The form that makes a token; the new token is shown once, below it. */
export function NewToken() {
  const client = useQueryClient();
  const may = { read: useMay("read"), write: useMay("write"), share: useMay("share"), admin: useMay("admin") };
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["run:read"]));
  const [days, setDays] = useState("30");
  const create = useMutation({
    mutationFn: () => createToken({ body: { name: name.trim(), scopes: [...scopes], expires_in_days: Number(days) } }),
    onSuccess: async () => {
      setName("");
      await client.invalidateQueries({ queryKey: queries.tokens().queryKey });
    },
  });
  const toggle = (scope: Scope) =>
    setScopes((old) => {
      const next = new Set(old);
      if (!next.delete(scope)) next.add(scope);
      return next;
    });
  const errors = fieldErrors(create.error);
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t("tokenName")} hint={t("tokenNameHint")} errors={errorsAt(errors, "/name")}>
          {(ids) => <input {...ids} value={name} onChange={(event) => setName(event.target.value)} required maxLength={100} autoComplete="off" />}
        </Field>
        <Field label={t("lifetime")} errors={errorsAt(errors, "/expires_in_days")}>
          {(ids) => (
            <select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
              {lifetimes().map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <fieldset className={styles.scopes}>
          <legend>{t("scopes")}</legend>
          {SCOPES.filter(({ needs }) => may[needs]).map(({ scope, about }) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              <span>
                <code>{scope}</code> {about}
              </span>
            </label>
          ))}
          <FieldErrors errors={errorsAt(errors, "/scopes")} />
        </fieldset>
        <Button type="submit" kind="primary" busy={create.isPending} disabled={scopes.size === 0}>
          {t("createToken")}
        </Button>
      </form>
      {create.error && (errors.length === 0 || errorsOutside(errors, POINTERS).length > 0) && <Failure error={create.error} />}
      {create.data && <SecretOnce label={t("newToken")} text={create.data.token} note={t("newTokenNote")} />}
    </>
  );
}
