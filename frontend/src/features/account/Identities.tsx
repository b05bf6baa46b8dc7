import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { linkIdentity, unlinkIdentity, type LinkedIdentity } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatTime } from "@/components/format";
import { failureText } from "@/components/providerFailures";
import { Failure, Note, QueryStatus } from "@/components/Status";

const COLUMNS = [["Identity"], ["Linked"], ["Last used"], [<span key="unlink" className="visually-hidden">Unlink</span>]] as const;

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
    <Card title={`Sign-in with ${provider?.name ?? "an identity provider"}`} note="An identity that you link signs in to this account, without the password." id="identities">
      {failed !== null && <Note tone="warn">{failureText(failed)}</Note>}
      <QueryStatus query={identities} label="Loading the identities" rows={1} />
      {error && <Failure error={error} />}
      {identities.data && identities.data.length > 0 && (
        <DataTable label="Linked identities" columns={COLUMNS}>
          {identities.data.map((each) => (
            <IdentityRow key={each.id} identity={each} busy={unlink.isPending && unlink.variables === each.id} onUnlink={() => unlink.mutate(each.id)} />
          ))}
        </DataTable>
      )}
      {provider && identities.data?.length === 0 && (
        <Button busy={link.isPending} onClick={() => link.mutate()}>
          Link my identity of {provider.name}
        </Button>
      )}
    </Card>
  );
}

function IdentityRow({ identity, busy, onUnlink }: { identity: LinkedIdentity; busy: boolean; onUnlink: () => void }) {
  const name = identity.email ?? "without a verified address";
  return (
    <tr>
      <th scope="row">
        {name}
        {!identity.current && <div>{identity.issuer}, which this server no longer uses</div>}
      </th>
      <td data-label="Linked">{formatTime(identity.created_at)}</td>
      <td data-label="Last used">{formatTime(identity.last_used_at)}</td>
      <td>
        <Button kind="danger" busy={busy} aria-label={`Unlink ${name}`} onClick={() => window.confirm(`Unlink ${name}? It then no longer signs in to this account.`) && onUnlink()}>
          Unlink
        </Button>
      </td>
    </tr>
  );
}
