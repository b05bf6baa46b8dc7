import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endOtherSession, endSession, listSessions, type SessionEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { Failure, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Account.module.css";
import { browserName } from "./browserName";

const t = messages("account");

const columns = () => [[t("browser")], [t("address")], [t("signedIn")], [t("lastUsed")], [t("until")], [<span key="end" className="visually-hidden">{t("signOut")}</span>]] as const;
const methods = (): Record<string, string> => ({ link: t("byLink"), password: t("byPassword"), invitation: t("byInvitation"), identity_provider: t("byProvider") });

/** The browsers in which the account is signed in; each can be signed out. */
export function Browsers() {
  const client = useQueryClient();
  const sessions = useQuery(queries.browsers());
  const end = useMutation({
    mutationFn: (id: string) => endOtherSession({ path: { session_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.browsers().queryKey }),
  });
  const endAll = useMutation({
    mutationFn: async () => {
      // Read again: a browser may have signed in since.
      const all = (await listSessions()).data;
      for (const { id } of all.filter(({ current }) => !current)) await endOtherSession({ path: { session_id: id } });
      await endSession();
    },
    onSuccess: () => window.location.assign("/sign-in"),
    onError: () => client.invalidateQueries({ queryKey: queries.browsers().queryKey }),
  });
  const everywhere = (
    <Button kind="danger" busy={endAll.isPending} onClick={() => window.confirm(t("signOutAllQuestion")) && endAll.mutate()}>
      {t("signOutEverywhere")}
    </Button>
  );
  return (
    <Card title={t("browsers")} note={t("browsersNote")} actions={sessions.data && everywhere} flush>
      {endAll.error && <Failure error={endAll.error} />}
      <QueryStatus query={sessions} label={t("loadingBrowsers")} rows={2} />
      {end.error && <Failure error={end.error} />}
      {sessions.data && (
        <DataTable label={t("browsers")} columns={columns()}>
          {sessions.data.map((each) => (
            <BrowserRow key={each.id} browser={each} busy={end.isPending && end.variables === each.id} onEnd={() => end.mutate(each.id)} />
          ))}
        </DataTable>
      )}
    </Card>
  );
}

function BrowserRow({ browser, busy, onEnd }: { browser: SessionEntry; busy: boolean; onEnd: () => void }) {
  const name = browserName(browser.client);
  return (
    <tr>
      <th scope="row" title={browser.client}>
        {name}
        {browser.current && <span className={styles.quiet}>{t("thisOne")}</span>}
      </th>
      <td data-label={t("address")}>{browser.address}</td>
      <td data-label={t("signedIn")}>
        {formatTime(browser.created_at)} <span className={styles.quiet}>{methods()[browser.method] ?? browser.method}</span>
      </td>
      <td data-label={t("lastUsed")}>{formatTime(browser.last_used_at)}</td>
      <td data-label={t("until")}>{formatTime(browser.expires_at)}</td>
      <td>
        {!browser.current && (
          <Button kind="danger" busy={busy} onClick={onEnd} aria-label={t("signOutBrowser", { name, at: formatTime(browser.created_at) })}>
            {t("signOut")}
          </Button>
        )}
      </td>
    </tr>
  );
}
