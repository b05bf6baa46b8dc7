import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { listDeliveries, redeliver, type DeliveryEntry, type WebhookEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { formatZonedTime } from "@/components/format";
import { State } from "@/components/State";
import { Note, QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import { deliveriesKey } from "./webhookKeys";
import styles from "./Webhooks.module.css";
import { attemptOutcome, attemptsOf, deliveryState } from "./webhookText";

const t = messages("team");

const columns = () => [[t("message")], [t("state")], [t("attempts")], [t("answer")], [<span key="again" className="visually-hidden">{t("sendAgain")}</span>]] as const;
/** A message that waits for its first attempt is sent within seconds. */
const WAITING_MS = 2000;
const IDLE_MS = 20_000;

/** The messages of a webhook of the last 30 days, newest first. */
export function Deliveries({ hook }: { hook: WebhookEntry }) {
  const sent = useInfiniteQuery({
    queryKey: deliveriesKey(hook.id),
    queryFn: ({ pageParam }) => listDeliveries({ path: { webhook_id: hook.id }, query: { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (query) => (query.state.data?.pages.some(({ data }) => data.some(({ state, attempts }) => state === "pending" && attempts === 0)) ? WAITING_MS : IDLE_MS),
  });
  const all = sent.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <QueryStatus query={sent} label={t("loadingMessages")} rows={2} />
      {sent.data && all.length === 0 && <p className={styles.none}>{t("noMessages")}</p>}
      {all.length > 0 && (
        <DataTable label={t("messagesTo", { name: hook.url })} columns={columns()}>
          {all.map((each) => (
            <DeliveryRow key={each.id} hook={hook} sent={each} />
          ))}
        </DataTable>
      )}
      {sent.hasNextPage && (
        <p>
          <Button kind="ghost" busy={sent.isFetchingNextPage} onClick={() => void sent.fetchNextPage()}>
            {t("olderMessages")}
          </Button>
        </p>
      )}
    </>
  );
}

function DeliveryRow({ hook, sent }: { hook: WebhookEntry; sent: DeliveryEntry }) {
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => redeliver({ path: { webhook_id: hook.id, delivery_id: sent.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesKey(hook.id) }),
  });
  const at = formatZonedTime(sent.created_at);
  return (
    <tr>
      <th scope="row">
        {sent.type}
        <small className={styles.small}>
          <time dateTime={sent.created_at}>{at}</time>
          {sent.run_id && <Link to={`/runs/${sent.run_id}`}>{sent.run_id}</Link>}
        </small>
      </th>
      <td data-label={t("state")}>
        <State label={deliveryState(sent)} />
      </td>
      <td data-label={t("attempts")}>
        {attemptsOf(sent)}
        {sent.history.length > 1 && (
          <details>
            <summary>{t("eachAttempt")}</summary>
            <ol className={styles.attempts}>
              {sent.history.map((each) => (
                <li key={each.at}>
                  <time dateTime={each.at}>{formatZonedTime(each.at)}</time>: {attemptOutcome(each)}
                </li>
              ))}
            </ol>
          </details>
        )}
      </td>
      <td data-label={t("answer")}>
        {sent.last_error ?? (sent.last_answer ? <code className={styles.answer}>{sent.last_answer}</code> : sent.attempts > 0 ? t("empty") : "")}
        <details>
          <summary>{t("body")}</summary>
          <code className={styles.answer}>{sent.body}</code>
        </details>
        {again.error && <Note tone="bad">{again.error.message}</Note>}
      </td>
      <td>
        {sent.state !== "pending" && (
          <Button kind="ghost" busy={again.isPending} disabled={hook.disabled_at !== null} onClick={() => again.mutate()} aria-label={t("sendOfAgain", { type: sent.type, at })}>
            {t("sendAgain")}
          </Button>
        )}
      </td>
    </tr>
  );
}
