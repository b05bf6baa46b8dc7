import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeSecondFactor, renewRecoveryCodes, verifySecondFactor, type SecondFactorState } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { Note, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { languageTag } from "@/messages/language";
import { CodeForm } from "./CodeForm";
import { RecoveryCodes } from "./RecoveryCodes";
import { SecondFactorSetup } from "./SecondFactorSetup";
import { SignInAgain } from "./SignInAgain";
import styles from "./SecondFactor.module.css";

const t = messages("account");

const FEW = 3;

/** The account's second factor: set up, new recovery codes, removal. */
export function SecondFactor() {
  const client = useQueryClient();
  const state = useQuery(queries.secondFactor());
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = () => client.invalidateQueries(); // also what a team showed that requires it
  const show = (fresh: readonly string[]) => {
    setCodes(fresh);
    void changed();
  };
  return (
    <Card title={t("secondFactor")} note={t("secondFactorNote")} id="second-factor">
      <QueryStatus query={state} label={t("loadingSecondFactor")} rows={2} />
      {codes ? (
        <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />
      ) : (
        state.data && (
          <div className={styles.stack}>
            <Required state={state.data} />
            {state.data.confirmed_at ? <Present state={state.data} confirmed={state.data.confirmed_at} onCodes={show} onChanged={changed} /> : state.data.recent_sign_in ? <SecondFactorSetup onCodes={show} /> : <SignInAgain forSetUp />}
          </div>
        )
      )}
    </Card>
  );
}

function Required({ state }: { state: SecondFactorState }) {
  if (state.required_by.length === 0) return null;
  const values = { teams: new Intl.ListFormat(languageTag()).format(state.required_by), count: state.required_by.length };
  return (
    <Note tone={state.proved ? "info" : "warn"}>
      {t(state.proved ? "teamsRequire" : state.confirmed_at ? "teamsRequireCode" : "teamsRequireSetUp", values)}
    </Note>
  );
}

function Present({ state, confirmed, onCodes, onChanged }: { state: SecondFactorState; confirmed: string; onCodes: (codes: readonly string[]) => void; onChanged: () => Promise<void> }) {
  const verify = useMutation({ mutationFn: (code: string) => verifySecondFactor({ body: { code } }), onSuccess: onChanged });
  const left = state.recovery_codes;
  return (
    <>
      <p>
        {t("setUpOn", { at: formatTime(confirmed), count: left })}
      </p>
      {left < FEW && <Note tone="warn">{t("fewCodes")}</Note>}
      {!state.proved && <CodeForm label={t("code")} hint={t("codeHintUnproved")} action={t("continue")} busy={verify.isPending} error={verify.error} onCode={(code) => verify.mutate(code)} />}
      {state.recent_sign_in ? <Changes onCodes={onCodes} onChanged={onChanged} /> : <SignInAgain />}
    </>
  );
}

function Changes({ onCodes, onChanged }: { onCodes: (codes: readonly string[]) => void; onChanged: () => Promise<void> }) {
  const renew = useMutation({ mutationFn: (code: string) => renewRecoveryCodes({ body: { code } }), gcTime: 0, onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) });
  const remove = useMutation({ mutationFn: (code: string) => removeSecondFactor({ body: { code } }), onSuccess: onChanged });
  return (
    <CodeForm label={t("codeForChange")} hint={t("codeHint")} action={t("newCodes")} busy={renew.isPending} error={renew.error ?? remove.error} onCode={(code) => renew.mutate(code)}>
      {(code) => (
        <Button
          kind="danger"
          busy={remove.isPending}
          disabled={code === ""}
          onClick={() => {
            renew.reset();
            if (window.confirm(t("removeQuestion"))) remove.mutate(code);
          }}
        >
          {t("removeSecondFactor")}
        </Button>
      )}
    </CodeForm>
  );
}
