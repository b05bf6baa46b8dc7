import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { revokeToken, type TokenEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { Failure, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import styles from "./Account.module.css";
import { NewToken } from "./NewToken";

const COLUMNS = [["Name"], ["Owner"], ["Scopes"], ["Last used"], ["Until"], [<span key="revoke" className="visually-hidden">Revoke</span>]] as const;

/** The account's API tokens in its team, for administrators all of the team; each can be revoked. */
export function Tokens() {
  const client = useQueryClient();
  const seesAll = useMay("admin");
  const tokens = useQuery(queries.tokens());
  const revoke = useMutation({
    mutationFn: (id: string) => revokeToken({ path: { token_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.tokens().queryKey }),
  });
  return (
    <Card title="API tokens" note={`For scripts and pipelines, in the team that you work in. A token does at most what you may do.${seesAll ? " As an administrator you see the tokens of all members." : ""}`}>
      <NewToken />
      <QueryStatus query={tokens} label="Loading the tokens" rows={1} />
      {revoke.error && <Failure error={revoke.error} />}
      {tokens.data && tokens.data.length > 0 && (
        <DataTable label="API tokens" columns={COLUMNS}>
          {tokens.data.map((each) => (
            <TokenRow key={each.id} token={each} busy={revoke.isPending && revoke.variables === each.id} onRevoke={() => window.confirm(`Revoke the token ${each.name}? Scripts that use it stop working at once.`) && revoke.mutate(each.id)} />
          ))}
        </DataTable>
      )}
    </Card>
  );
}

function TokenRow({ token, busy, onRevoke }: { token: TokenEntry; busy: boolean; onRevoke: () => void }) {
  return (
    <tr>
      <th scope="row">
        {token.name}
        <div className={styles.quiet}>
          <code>{token.prefix}…</code>
        </div>
      </th>
      <td data-label="Owner">{token.account_name}</td>
      <td data-label="Scopes">{token.scopes.join(", ")}</td>
      <td data-label="Last used">{token.last_used_at ? formatTime(token.last_used_at) : "not used yet"}</td>
      <td data-label="Until">{token.expires_at ? formatTime(token.expires_at) : "never ends"}</td>
      <td>
        <Button kind="danger" busy={busy} onClick={onRevoke} aria-label={`Revoke the token ${token.name} of ${token.account_name}`}>
          Revoke
        </Button>
      </td>
    </tr>
  );
}
