import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/errors";
import { createSession } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { PasswordField } from "@/components/PasswordField";
import { passwordFailure } from "@/components/signInTexts";
import { Note } from "@/components/Status";
import { useWait } from "@/components/useWait";
import { messages } from "@/messages";
import { returnPath } from "./returnPath";
import styles from "./SignIn.module.css";

const t = messages("access");

const SIGN_IN = "/sign-in";

/** Signs in by email address and password; asks for the code of a second factor once the server wants one. */
export function PasswordForm({ onSignedIn }: { onSignedIn?: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [asksCode, askCode] = useState(false);
  const signIn = useMutation({
    mutationFn: () => createSession({ body: { email: email.trim(), password, ...(asksCode && { code: code.trim() }) } }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "second_factor_required") askCode(true);
    },
    onSuccess: async () => {
      client.removeQueries({ type: "inactive" }); // of whoever was signed in before
      await client.invalidateQueries({ queryKey: queries.session().queryKey });
      if (window.location.pathname === SIGN_IN) await navigate(returnPath() ?? "/", { replace: true });
      onSignedIn?.();
    },
  });
  const wait = useWait(signIn.error);
  const isQuestion = signIn.error instanceof ApiError && signIn.error.code === "second_factor_required";
  const changed = (set: (value: string) => void) => (value: string) => {
    askCode(false);
    set(value);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Field label={t("email")} errors={[]}>
        {(ids) => <input {...ids} type="email" value={email} onChange={(event) => changed(setEmail)(event.target.value)} autoComplete="username" required maxLength={254} />}
      </Field>
      <PasswordField label={t("password")} value={password} onChange={changed(setPassword)} autoComplete="current-password" />
      {asksCode && <CodeField value={code} onChange={setCode} />}
      {signIn.error && !isQuestion && (
        <div role="alert">
          <Note tone="bad">{passwordFailure(signIn.error, wait)}</Note>
        </div>
      )}
      <Button kind="primary" type="submit" busy={signIn.isPending} disabled={wait > 0}>
        {t("signIn")}
      </Button>
    </form>
  );
}

function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Field label={t("code")} hint={t("codeHint")} errors={[]}>
      {(ids) => <input {...ids} ref={input} value={value} onChange={(event) => onChange(event.target.value)} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} required maxLength={32} />}
    </Field>
  );
}
