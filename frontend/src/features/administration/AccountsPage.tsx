import { useState } from "react";
import type { AccountEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Field } from "@/components/Field";
import { formatTime } from "@/components/format";
import { roleName } from "@/components/roleName";
import { State } from "@/components/State";
import { Empty, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { AccountDialog } from "./AccountDialog";
import styles from "./Administration.module.css";
import { AdministrationPage } from "./AdministrationPage";
import { useAccounts } from "./usePages";
import { waysOf } from "./ways";

const t = messages("administration");

const columns = () => [[t("account")], [t("teams")], [t("signsInBy")], [t("lastSignIn")], [<span key="manage" className="visually-hidden">{t("manage")}</span>]] as const;

/** The accounts of the installation. */
export function AccountsPage() {
  useTitle(t("titleAccounts"));
  const [text, setText] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const accounts = useAccounts(text.trim());
  const rows = accounts.data?.pages.flatMap(({ data }) => data) ?? [];
  const managed = rows.find(({ id }) => id === open);
  return (
    <AdministrationPage page="accounts" meta={t("accountsMeta")}>
      <Card title={t("accounts")} flush={rows.length > 0} actions={<Field label={t("nameOrEmail")} errors={[]}>{(ids) => <input {...ids} type="search" maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />}</Field>}>
        <QueryStatus query={accounts} label={t("loadingAccounts")} />
        {accounts.data && rows.length === 0 && <Empty title={t("noAccount")} />}
        {rows.length > 0 && (
          <DataTable label={t("accounts")} columns={columns()}>
            {rows.map((account) => (
              <AccountRow key={account.id} account={account} onManage={() => setOpen(account.id)} />
            ))}
          </DataTable>
        )}
      </Card>
      {accounts.hasNextPage && (
        <div>
          <Button busy={accounts.isFetchingNextPage} onClick={() => void accounts.fetchNextPage()}>
            {t("moreAccounts")}
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
        {account.installation_admin && <div className={styles.quiet}>{t("installationAdmin")}</div>}
        {account.disabled && (
          <div>
            <State label={{ glyph: "⊘", word: t("disabled"), tone: "warn" }} />
          </div>
        )}
      </th>
      <td data-label={t("teams")}>{account.teams.length === 0 ? t("none") : account.teams.map(({ name, role }) => `${name} (${roleName(role)})`).join(", ")}</td>
      <td data-label={t("signsInBy")}>{waysOf(account)}</td>
      <td data-label={t("lastSignIn")}>{account.last_sign_in_at ? formatTime(account.last_sign_in_at) : t("never")}</td>
      <td>
        <Button onClick={onManage} aria-label={t("manageAccount", { name: account.name })}>{t("manage")}</Button>
      </td>
    </tr>
  );
}
