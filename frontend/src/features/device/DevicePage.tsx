import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "@/api/errors";
import { findDeviceAuthorization } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Field } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { Failure, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import styles from "./Device.module.css";
import { Review } from "./Review";

/** Signs a command line in: the code of a terminal, then who waits with it, then the decision. A link may bring the code; nothing is decided by opening it. */
export function DevicePage() {
  useTitle("Sign in a command line");
  const [query] = useSearchParams();
  const [code, setCode] = useState(query.get("user_code") ?? "");
  const [decision, setDecision] = useState<"approved" | "denied" | null>(null);
  const find = useMutation({ mutationFn: () => findDeviceAuthorization({ body: { user_code: code } }) });
  const isUnknown = find.error instanceof ApiError && (find.error.status === 404 || find.error.status === 422);
  return (
    <div className={styles.page}>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Command line" }]} title="Sign in a command line" />
      {decision ? (
        <Done decision={decision} client={find.data?.client_name ?? ""} />
      ) : find.data ? (
        <Review found={find.data} onDecision={setDecision} onBack={find.reset} />
      ) : (
        <Card title="Which code does your terminal show?" note="The command plimsoll login shows it. Nobody else should send you a code or a link to this page.">
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              find.mutate();
            }}
          >
            <Field label="Code" hint="Eight letters; case and hyphen do not matter." errors={[]}>
              {(ids) => <input {...ids} className={styles.code} value={code} onChange={(event) => setCode(event.target.value)} required maxLength={32} autoComplete="off" autoCapitalize="characters" spellCheck={false} />}
            </Field>
            <Button type="submit" kind="primary" busy={find.isPending}>
              Continue
            </Button>
          </form>
          {isUnknown && <Note tone="warn">No command line waits with this code: it is mistyped, was used, or is older than ten minutes.</Note>}
          {find.error && !isUnknown && <Failure error={find.error} />}
        </Card>
      )}
    </div>
  );
}

function Done({ decision, client }: { decision: "approved" | "denied"; client: string }) {
  if (decision === "denied") {
    return (
      <Card title="Denied">
        <p>The command line on {client} gets no access. If you did not start it, somebody tried to use your account: tell an administrator.</p>
      </Card>
    );
  }
  return (
    <Card title="Signed in">
      <p>
        The command line on {client} fetches its token within a few seconds: go back to the terminal. <Link to="/account">Your account</Link> lists the token and can revoke it.
      </p>
    </Card>
  );
}
