import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeSecondFactor, renewRecoveryCodes, verifySecondFactor, type SecondFactorState } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { Note, QueryStatus } from "@/components/Status";
import { CodeForm } from "./CodeForm";
import { RecoveryCodes } from "./RecoveryCodes";
import { SecondFactorSetup } from "./SecondFactorSetup";
import { SignInAgain } from "./SignInAgain";
import styles from "./SecondFactor.module.css";

const HINT = "A code that was not used yet, or a recovery code.";
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
    <Card title="Second factor" note="For sign-in by password. An identity provider has its own." id="second-factor">
      <QueryStatus query={state} label="Loading the second factor" rows={2} />
      {codes ? (
        <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />
      ) : (
        state.data && (
          <div className={styles.stack}>
            <Required state={state.data} />
            {state.data.confirmed_at ? <Present state={state.data} confirmed={state.data.confirmed_at} onCodes={show} onChanged={changed} /> : state.data.recent_sign_in ? <SecondFactorSetup onCodes={show} /> : <SignInAgain what="Setting up a second factor" />}
          </div>
        )
      )}
    </Card>
  );
}

function Required({ state }: { state: SecondFactorState }) {
  if (state.required_by.length === 0) return null;
  const teams = new Intl.ListFormat("en").format(state.required_by);
  const verb = state.required_by.length === 1 ? "requires" : "require";
  return (
    <Note tone={state.proved ? "info" : "warn"}>
      {teams} {verb} a second factor.
      {!state.proved && (state.confirmed_at ? " Enter a code to get access in this browser." : " Set one up to get access.")}
    </Note>
  );
}

function Present({ state, confirmed, onCodes, onChanged }: { state: SecondFactorState; confirmed: string; onCodes: (codes: readonly string[]) => void; onChanged: () => Promise<void> }) {
  const verify = useMutation({ mutationFn: (code: string) => verifySecondFactor({ body: { code } }), onSuccess: onChanged });
  const left = state.recovery_codes;
  return (
    <>
      <p>
        Set up on {formatTime(confirmed)}; {left} {left === 1 ? "recovery code" : "recovery codes"} left.
      </p>
      {left < FEW && <Note tone="warn">Few recovery codes are left: make new ones.</Note>}
      {!state.proved && <CodeForm label="Code" hint={`${HINT} This browser has not proved the second factor yet.`} action="Continue" busy={verify.isPending} error={verify.error} onCode={(code) => verify.mutate(code)} />}
      {state.recent_sign_in ? <Changes onCodes={onCodes} onChanged={onChanged} /> : <SignInAgain what="A change" />}
    </>
  );
}

function Changes({ onCodes, onChanged }: { onCodes: (codes: readonly string[]) => void; onChanged: () => Promise<void> }) {
  const renew = useMutation({ mutationFn: (code: string) => renewRecoveryCodes({ body: { code } }), gcTime: 0, onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) });
  const remove = useMutation({ mutationFn: (code: string) => removeSecondFactor({ body: { code } }), onSuccess: onChanged });
  return (
    <CodeForm label="Code for a change" hint={HINT} action="New recovery codes" busy={renew.isPending} error={renew.error ?? remove.error} onCode={(code) => renew.mutate(code)}>
      {(code) => (
        <Button
          kind="danger"
          busy={remove.isPending}
          disabled={code === ""}
          onClick={() => {
            renew.reset();
            if (window.confirm("Remove the second factor? Sign-in then needs the password alone.")) remove.mutate(code);
          }}
        >
          Remove the second factor
        </Button>
      )}
    </CodeForm>
  );
}
