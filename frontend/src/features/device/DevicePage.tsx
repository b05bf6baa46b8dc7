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
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Device.module.css";
import { Review } from "./Review";

const t = messages("device");

/** Signs a command line in: the code of a terminal, then who waits with it, then the decision. A link may bring the code; nothing is decided by opening it. */
export function DevicePage() {
  useTitle(t("title"));
  const [query] = useSearchParams();
  const [code, setCode] = useState(query.get("user_code") ?? "");
  const [decision, setDecision] = useState<"approved" | "denied" | null>(null);
  const find = useMutation({ mutationFn: () => findDeviceAuthorization({ body: { user_code: code } }) });
  const isUnknown = find.error instanceof ApiError && (find.error.status === 404 || find.error.status === 422);
  return (
    <div className={styles.page}>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("crumb") }]} title={t("title")} />
      {decision ? (
        <Done decision={decision} client={find.data?.client_name ?? ""} />
      ) : find.data ? (
        <Review found={find.data} onDecision={setDecision} onBack={find.reset} />
      ) : (
        <Card title={t("whichCode")} note={t("whichCodeNote")}>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              find.mutate();
            }}
          >
            <Field label={t("code")} hint={t("codeHint")} errors={[]}>
              {(ids) => <input {...ids} className={styles.code} value={code} onChange={(event) => setCode(event.target.value)} required maxLength={32} autoComplete="off" autoCapitalize="characters" spellCheck={false} />}
            </Field>
            <Button type="submit" kind="primary" busy={find.isPending}>
              {t("continue")}
            </Button>
          </form>
          {isUnknown && <Note tone="warn">{t("unknownCode")}</Note>}
          {find.error && !isUnknown && <Failure error={find.error} />}
        </Card>
      )}
    </div>
  );
}

function Done({ decision, client }: { decision: "approved" | "denied"; client: string }) {
  if (decision === "denied") {
    return (
      <Card title={t("denied")}>
        <p>{t("deniedText", { client })}</p>
      </Card>
    );
  }
  return (
    <Card title={t("signedIn")}>
      <p>
        <RichText namespace="device" id="signedInText" values={{ client }} parts={{ account: <Link to="/account" /> }} />
      </p>
    </Card>
  );
}
