import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { revokeShare, type ShareEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatTime } from "@/components/format";
import { Note, QueryStatus } from "@/components/Status";
import styles from "./ShareDialog.module.css";

/** The existing share links of a run, with a button that revokes each. */
export function ShareList({ runId }: { runId: string }) {
  const client = useQueryClient();
  const shares = useQuery(queries.shares(runId));
  const revoke = useMutation({ mutationFn: (id: string) => revokeShare({ path: { share_id: id } }), onSettled: () => client.invalidateQueries({ queryKey: queries.shares(runId).queryKey }) });
  if (!shares.data) return <QueryStatus query={shares} label="Loading the links" rows={2} />;
  if (shares.data.length === 0) return null;
  return (
    <section className={styles.made} aria-label="Links of this result">
      <h3>Links of this result</h3>
      <ul>
        {shares.data.map((share) => (
          <li key={share.id} data-state={share.state}>
            <span>
              created {formatTime(share.created_at)}
              <small>{ended(share)}</small>
            </span>
            {share.state === "open" && (
              <Button kind="danger" busy={revoke.isPending && revoke.variables === share.id} onClick={() => revoke.mutate(share.id)} aria-label={`Revoke the link created ${formatTime(share.created_at)}`}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoke.error && <Note tone="bad">{revoke.error.message}</Note>}
    </section>
  );
}

function ended({ state, expires_at }: ShareEntry): string {
  if (state === "revoked") return "revoked: it no longer works";
  return `${state === "open" ? "works until" : "expired"} ${formatTime(expires_at)}`;
}
