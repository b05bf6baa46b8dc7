import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createSignInLink, deleteAccount, resetSecondFactor, setAccountAccess, type AccountAccess, type AccountEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Failure } from "@/components/Status";
import { messages } from "@/messages";
import { AccountEmail } from "./AccountEmail";
import { AccountTeams } from "./AccountTeams";
import styles from "./Administration.module.css";
import { ACCOUNTS } from "./usePages";

const t = messages("administration");

interface Props {
  account: AccountEntry;
  onClose: () => void;
}

/** Sign-in link, email address, teams and access of one account. */
export function AccountDialog({ account, onClose }: Props) {
  const session = useQuery({ ...queries.session(), enabled: false });
  const isOwn = session.data?.account.id === account.id;
  return (
    <Dialog title={account.name} open onClose={onClose} wide actions={<Button onClick={onClose}>{t("close")}</Button>}>
      {!account.disabled && <SignInLink account={account} />}
      <AccountEmail account={account} />
      <AccountTeams account={account} />
      {isOwn ? <p>{t("ownAccount")}</p> : <Access account={account} onDeleted={onClose} />}
    </Dialog>
  );
}

function SignInLink({ account }: { account: AccountEntry }) {
  const make = useMutation({ mutationFn: () => createSignInLink({ path: { account_id: account.id }, body: {} }) });
  return (
    <section className={styles.section} aria-label={t("signInLink")}>
      <h3>{t("signInLink")}</h3>
      <p>{t("signInLinkAbout", { name: account.name })}</p>
      <div>
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          {t("makeSignInLink")}
        </Button>
      </div>
      {make.error && <Failure error={make.error} />}
      {make.data && <SecretOnce label={t("signInLinkOf", { name: account.name })} text={make.data.url} note={t("signInLinkNote", { at: formatTime(make.data.expires_at) })} />}
    </section>
  );
}

function Access({ account, onDeleted }: { account: AccountEntry; onDeleted: () => void }) {
  const client = useQueryClient();
  const { name } = account;
  const path = { account_id: account.id };
  const onSuccess = () => client.invalidateQueries({ queryKey: ACCOUNTS });
  const change = useMutation({ mutationFn: (body: AccountAccess) => setAccountAccess({ path, body }), onSuccess });
  const reset = useMutation({ mutationFn: () => resetSecondFactor({ path }), onSuccess });
  const remove = useMutation({
    mutationFn: () => deleteAccount({ path }),
    onSuccess: () => {
      onDeleted();
      return onSuccess();
    },
  });
  const error = change.error ?? reset.error ?? remove.error;
  const confirmed = (question: string, action: () => void) => () => {
    if (window.confirm(question)) action();
  };
  return (
    <section className={styles.section} aria-label={t("access")}>
      <h3>{t("access")}</h3>
      <p>{t("accessAbout", { name })}</p>
      <div className={styles.row}>
        {account.disabled ? (
          <Button busy={change.isPending} onClick={() => change.mutate({ disabled: false })}>{t("enable")}</Button>
        ) : (
          <Button kind="danger" busy={change.isPending} onClick={confirmed(t("disableQuestion", { name }), () => change.mutate({ disabled: true }))}>{t("disable")}</Button>
        )}
        {account.installation_admin ? (
          <Button kind="danger" busy={change.isPending} onClick={confirmed(t("takeQuestion", { name }), () => change.mutate({ installation_admin: false }))}>{t("takeAdministration")}</Button>
        ) : (
          !account.disabled && <Button busy={change.isPending} onClick={confirmed(t("makeQuestion", { name }), () => change.mutate({ installation_admin: true }))}>{t("makeAdministrator")}</Button>
        )}
        {account.has_second_factor && (
          <Button kind="danger" busy={reset.isPending} onClick={confirmed(t("removeFactorQuestion", { name }), () => reset.mutate())}>{t("removeSecondFactor")}</Button>
        )}
        {account.disabled && (
          <Button kind="danger" busy={remove.isPending} onClick={confirmed(t("deleteQuestion", { name }), () => remove.mutate())}>{t("deleteAccount")}</Button>
        )}
      </div>
      {error && <Failure error={error} />}
    </section>
  );
}
