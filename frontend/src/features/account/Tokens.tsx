import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { revokeToken, type TokenEntry } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { Failure, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Account.module.css";
import { NewToken } from "./NewToken";

const t = messages("account");

const columns = () => [[t("name")], [t("owner")], [t("scopes")], [t("lastUsed")], [t("until")], [<span key="revoke" className="visually-hidden">{t("revoke")}</span>]] as const;

/** The account's API tokens in its team, for administrators all of the team; each can be revoked. */
export function Tokens() {
  const client = useQueryClient();
  const seesAll = useMay("admin");
  const tokens = useQuery(queries.tokens());
  const isLoaded = tokens.data !== undefined;
  const { hash } = useLocation();
  useEffect(() => {
    if (isLoaded && hash === "#tokens") document.getElementById("tokens")?.scrollIntoView?.();
  }, [isLoaded, hash]);
  const revoke = useMutation({
    mutationFn: (id: string) => revokeToken({ path: { token_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.tokens().queryKey }),
  });
  return (
    <Card id="tokens" title={t("tokens")} note={seesAll ? t("tokensNoteAll") : t("tokensNote")}>
      <NewToken />
      <QueryStatus query={tokens} label={t("loadingTokens")} rows={1} />
      {revoke.error && <Failure error={revoke.error} />}
      {tokens.data && tokens.data.length > 0 && (
        <DataTable label={t("tokens")} columns={columns()}>
          {tokens.data.map((each) => (
            <TokenRow key={each.id} token={each} busy={revoke.isPending && revoke.variables === each.id} onRevoke={() => window.confirm(t("revokeQuestion", { name: each.name })) && revoke.mutate(each.id)} />
          ))}
        </DataTable>
      )}
      <p className={styles.foot}>
        <RichText namespace="account" id="toApi" parts={{ to: <Link to="/api-docs" /> }} />
      </p>
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
      <td data-label={t("owner")}>{token.account_name}</td>
      <td data-label={t("scopes")}>{token.scopes.join(", ")}</td>
      <td data-label={t("lastUsed")}>{token.last_used_at ? formatTime(token.last_used_at) : t("notUsed")}</td>
      <td data-label={t("until")}>{token.expires_at ? formatTime(token.expires_at) : t("neverEnds")}</td>
      <td>
        <Button kind="danger" busy={busy} onClick={onRevoke} aria-label={t("revokeToken", { name: token.name, owner: token.account_name })}>
          {t("revoke")}
        </Button>
      </td>
    </tr>
  );
}
