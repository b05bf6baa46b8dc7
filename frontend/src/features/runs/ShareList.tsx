import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queries, SHARES } from "@/api/queries";
import { revokeShare } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatTime } from "@/components/format";
import { shareCreation, shareKind, shareState, shareUse } from "@/components/shareText";
import { Note, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./ShareDialog.module.css";

const t = messages("runs");

/** The existing share links of a run, with a button that revokes each. */
export function ShareList({ runId }: { runId: string }) {
  const client = useQueryClient();
  const shares = useQuery(queries.shares(runId));
  const revoke = useMutation({ mutationFn: (id: string) => revokeShare({ path: { share_id: id } }), onSettled: () => client.invalidateQueries({ queryKey: SHARES }) });
  if (!shares.data) return <QueryStatus query={shares} label={t("linksLoading")} rows={2} />;
  if (shares.data.length === 0) return null;
  return (
    <section className={styles.made} aria-label={t("linksTitle")}>
      <h3>{t("linksTitle")}</h3>
      <ul>
        {shares.data.map((share) => (
          <li key={share.id} data-state={share.state}>
            <span>
              {share.title !== null && t("linkTitle", { title: share.title })}
              {shareKind(share)}
              <small>
                {t("linkCreated", { creation: shareCreation(share), use: shareUse(share) })}
              </small>
              <small>{shareState(share)}</small>
            </span>
            {share.state === "open" && (
              <Button kind="danger" busy={revoke.isPending && revoke.variables === share.id} onClick={() => revoke.mutate(share.id)} aria-label={t("revokeLink", { time: formatTime(share.created_at) })}>
                {t("revoke")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoke.error && <Note tone="bad">{revoke.error.message}</Note>}
    </section>
  );
}
