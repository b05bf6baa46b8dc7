import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endOtherSession, endSession, listSessions, type SessionEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { Failure, QueryStatus } from "@/components/Status";
import styles from "./Account.module.css";
import { browserName } from "./browserName";

const COLUMNS = [["Browser"], ["Address"], ["Signed in"], ["Last used"], ["Until"], [<span key="end" className="visually-hidden">Sign out</span>]] as const;
const METHODS: Record<string, string> = { link: "by one-time link", password: "by password", invitation: "by invitation", identity_provider: "by identity provider" };

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
    <Button kind="danger" busy={endAll.isPending} onClick={() => window.confirm("Sign out all of these browsers, this one too?") && endAll.mutate()}>
      Sign out everywhere
    </Button>
  );
  return (
    <Card title="Signed-in browsers" note="Sign out what you do not recognise, then change your password." actions={sessions.data && everywhere} flush>
      {endAll.error && <Failure error={endAll.error} />}
      <QueryStatus query={sessions} label="Loading the browsers" rows={2} />
      {end.error && <Failure error={end.error} />}
      {sessions.data && (
        <DataTable label="Signed-in browsers" columns={COLUMNS}>
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
        {browser.current && <span className={styles.quiet}> · this one</span>}
      </th>
      <td data-label="Address">{browser.address}</td>
      <td data-label="Signed in">
        {formatTime(browser.created_at)} <span className={styles.quiet}>{METHODS[browser.method] ?? browser.method}</span>
      </td>
      <td data-label="Last used">{formatTime(browser.last_used_at)}</td>
      <td data-label="Until">{formatTime(browser.expires_at)}</td>
      <td>
        {!browser.current && (
          <Button kind="danger" busy={busy} onClick={onEnd} aria-label={`Sign out ${name}, signed in ${formatTime(browser.created_at)}`}>
            Sign out
          </Button>
        )}
      </td>
    </tr>
  );
}
