import { useState } from "react";
import type { AccountEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { State } from "@/components/State";
import { Empty, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { AccountDialog } from "./AccountDialog";
import styles from "./Administration.module.css";
import { AdministrationPage } from "./AdministrationPage";
import { useAccounts } from "./usePages";
import { waysOf } from "./ways";

const COLUMNS = [["Account"], ["Teams"], ["Signs in by"], ["Last sign-in"], [<span key="manage" className="visually-hidden">Manage</span>]] as const;

/** The accounts of the installation. */
export function AccountsPage() {
  useTitle("Administration: accounts");
  const [text, setText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const accounts = useAccounts(text.trim());
  const rows = accounts.data?.pages.flatMap(({ data }) => data) ?? [];
  const managed = rows.find(({ id }) => id === open);
  return (
    <AdministrationPage page="Accounts" meta="All accounts of the installation. New ones come by the invitation of a team.">
      <Card title="Accounts" flush={rows.length > 0} actions={<Field label="Name or email" errors={[]}>{(ids) => <input {...ids} type="search" maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />}</Field>}>
        <QueryStatus query={accounts} label="Loading the accounts" />
        {accounts.data && rows.length === 0 && <Empty title="No account matches" />}
        {rows.length > 0 && (
          <DataTable label="Accounts" columns={COLUMNS}>
            {rows.map((account) => (
              <AccountRow key={account.id} account={account} onManage={() => setOpen(account.id)} />
            ))}
          </DataTable>
        )}
      </Card>
      {accounts.hasNextPage && (
        <div>
          <Button busy={accounts.isFetchingNextPage} onClick={() => void accounts.fetchNextPage()}>
            More accounts
          </Button>
        </div>
      )}
      {managed && <AccountDialog key={managed.id} account={managed} onClose={() => setOpen(null)} />}
    </AdministrationPage>
  );
}

function AccountRow({ account, onManage }: { account: AccountEntry; onManage: () => void }) {
  return (
    <tr>
      <th scope="row">
        {account.name}
        {account.email && <div className={styles.quiet}>{account.email}</div>}
        {account.installation_admin && <div className={styles.quiet}>administrator of the installation</div>}
        {account.disabled && (
          <div>
            <State label={{ glyph: "⊘", word: "disabled", tone: "warn" }} />
          </div>
        )}
      </th>
      <td data-label="Teams">{account.teams.length === 0 ? "none" : account.teams.map(({ name, role }) => `${name} (${role})`).join(", ")}</td>
      <td data-label="Signs in by">{waysOf(account)}</td>
      <td data-label="Last sign-in">{account.last_sign_in_at ? formatTime(account.last_sign_in_at) : "never"}</td>
      <td>
        <Button onClick={onManage} aria-label={`Manage the account of ${account.name}`}>Manage</Button>
      </td>
    </tr>
  );
}
