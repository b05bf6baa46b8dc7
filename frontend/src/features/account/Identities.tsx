import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { linkIdentity, unlinkIdentity, type LinkedIdentity } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { failureText } from "@/components/providerFailures";
import { Failure, Note, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";

const t = messages("account");

const columns = () => [[t("identity")], [t("linked")], [t("lastUsed")], [<span key="unlink" className="visually-hidden">{t("unlink")}</span>]] as const;

/** The identities of the provider that sign in to the account; nothing on a server without a provider and without identities. */
export function Identities() {
  const client = useQueryClient();
  const provider = useQuery(queries.signInMethods()).data?.provider;
  const identities = useQuery(queries.identities());
  const link = useMutation({ mutationFn: () => linkIdentity(), onSuccess: ({ url }) => window.location.assign(url) });
  const unlink = useMutation({ mutationFn: (id: string) => unlinkIdentity({ path: { identity_id: id } }), onSettled: () => client.invalidateQueries({ queryKey: queries.identities().queryKey }) });
  const failed = new URLSearchParams(window.location.search).get("failed");
  const error = link.error ?? unlink.error;
  if (!provider && !identities.data?.length) return null;
  return (
    <Card title={t("signInWith", { provider: provider?.name ?? t("anIdentityProvider") })} note={t("identityNote")} id="identities">
      {failed !== null && <Note tone="warn">{failureText(failed)}</Note>}
      <QueryStatus query={identities} label={t("loadingIdentities")} rows={1} />
      {error && <Failure error={error} />}
      {identities.data && identities.data.length > 0 && (
        <DataTable label={t("linkedIdentities")} columns={columns()}>
          {identities.data.map((each) => (
            <IdentityRow key={each.id} identity={each} busy={unlink.isPending && unlink.variables === each.id} onUnlink={() => unlink.mutate(each.id)} />
          ))}
        </DataTable>
      )}
      {provider && identities.data?.length === 0 && (
        <Button busy={link.isPending} onClick={() => link.mutate()}>
          {t("linkIdentity", { provider: provider.name })}
        </Button>
      )}
    </Card>
  );
}

function IdentityRow({ identity, busy, onUnlink }: { identity: LinkedIdentity; busy: boolean; onUnlink: () => void }) {
  const name = identity.email ?? t("withoutAddress");
  return (
    <tr>
      <th scope="row">
        {name}
        {!identity.current && <div>{t("formerIssuer", { issuer: identity.issuer })}</div>}
      </th>
      <td data-label={t("linked")}>{formatTime(identity.created_at)}</td>
      <td data-label={t("lastUsed")}>{formatTime(identity.last_used_at)}</td>
      <td>
        <Button kind="danger" busy={busy} aria-label={t("unlinkName", { name })} onClick={() => window.confirm(t("unlinkQuestion", { name })) && onUnlink()}>
          {t("unlink")}
        </Button>
      </td>
    </tr>
  );
}
