import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createSignInLink, deleteAccount, resetSecondFactor, setAccountAccess, type AccountAccess, type AccountEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatTime } from "@/components/format";
import { SecretOnce } from "@/components/SecretOnce";
import { Failure } from "@/components/Status";
import { AccountTeams } from "./AccountTeams";
import styles from "./Administration.module.css";
import { ACCOUNTS } from "./usePages";

interface Props {
  account: AccountEntry;
  onClose: () => void;
}

/** Sign-in link, teams and access of one account. */
export function AccountDialog({ account, onClose }: Props) {
  const session = useQuery({ ...queries.session(), enabled: false });
  const isOwn = session.data?.account.id === account.id;
  return (
    <Dialog title={account.name} open onClose={onClose} wide actions={<Button onClick={onClose}>Close</Button>}>
      {!account.disabled && <SignInLink account={account} />}
      <AccountTeams account={account} />
      {isOwn ? <p>This is your own account: another administrator of the installation can disable it.</p> : <Access account={account} onDeleted={onClose} />}
    </Dialog>
  );
}

function SignInLink({ account }: { account: AccountEntry }) {
  const make = useMutation({ mutationFn: () => createSignInLink({ path: { account_id: account.id }, body: {} }) });
  return (
    <section className={styles.section} aria-label="Sign-in link">
      <h3>Sign-in link</h3>
      <p>For a lost password: signs {account.name} in once, within an hour. Whoever has the link can use it, so send it over a channel that you trust. It is written to the audit log.</p>
      <div>
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          Make a sign-in link
        </Button>
      </div>
      {make.error && <Failure error={make.error} />}
      {make.data && <SecretOnce label={`Sign-in link of ${account.name}`} text={make.data.url} note={`The link is shown only once, and earlier ones no longer work. It works until ${formatTime(make.data.expires_at)}.`} />}
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
    <section className={styles.section} aria-label="Access">
      <h3>Access</h3>
      <p>Disabling ends the sessions of {name} and refuses the account&rsquo;s tokens at once. A disabled account can be deleted: what it made stays with its teams, and the audit log keeps the name.</p>
      <div className={styles.row}>
        {account.disabled ? (
          <Button busy={change.isPending} onClick={() => change.mutate({ disabled: false })}>Enable</Button>
        ) : (
          <Button kind="danger" busy={change.isPending} onClick={confirmed(`Disable the account of ${name}?`, () => change.mutate({ disabled: true }))}>Disable</Button>
        )}
        {account.installation_admin ? (
          <Button kind="danger" busy={change.isPending} onClick={confirmed(`Take the administration of the installation from ${name}?`, () => change.mutate({ installation_admin: false }))}>Take the administration</Button>
        ) : (
          !account.disabled && <Button busy={change.isPending} onClick={confirmed(`Make ${name} an administrator of the installation, with all teams and accounts?`, () => change.mutate({ installation_admin: true }))}>Make an administrator of the installation</Button>
        )}
        {account.has_second_factor && (
          <Button kind="danger" busy={reset.isPending} onClick={confirmed(`Remove the second factor of ${name}? Do it only for somebody you have recognised.`, () => reset.mutate())}>Remove the second factor</Button>
        )}
        {account.disabled && (
          <Button kind="danger" busy={remove.isPending} onClick={confirmed(`Delete the account of ${name} for good?`, () => remove.mutate())}>Delete the account</Button>
        )}
      </div>
      {error && <Failure error={error} />}
    </section>
  );
}
