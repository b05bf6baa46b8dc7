import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteWebhook, testWebhook, updateWebhook, type WebhookChange, type WebhookEntry } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { formatZonedTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { Deliveries } from "./Deliveries";
import { WebhookForm } from "./WebhookForm";
import { deliveriesKey, WEBHOOKS } from "./webhookKeys";
import styles from "./Webhooks.module.css";
import { webhookState, type EventName } from "./webhookText";

const t = messages("team");

/** A webhook: its state, what it sends, its messages, and the buttons that test, change, pause and delete it. */
export function WebhookCard({ hook }: { hook: WebhookEntry }) {
  const client = useQueryClient();
  const [open, setOpen] = useState<"messages" | "edit" | "delete" | null>(null);
  const path = { webhook_id: hook.id };
  const refresh = () => client.invalidateQueries({ queryKey: WEBHOOKS });
  const close = () => setOpen(null);
  const change = useMutation({
    mutationFn: (body: WebhookChange) => updateWebhook({ path, body }),
    onSuccess: () => {
      close();
      return refresh();
    },
  });
  const test = useMutation({
    mutationFn: () => testWebhook({ path }),
    onSuccess: () => {
      setOpen("messages");
      return client.invalidateQueries({ queryKey: deliveriesKey(hook.id) });
    },
  });
  const isDisabled = hook.disabled_at !== null;
  const named = hook.description || hook.url;
  const error = test.error ?? (open === "edit" ? null : change.error);
  return (
    <Card
      title={<span className={styles.url}>{hook.url}</span>}
      note={hook.description || undefined}
      actions={
        <>
          <Button busy={test.isPending} disabled={isDisabled} onClick={() => test.mutate()} aria-label={t("sendTestTo", { name: named })}>
            {t("sendTest")}
          </Button>
          <Button kind="ghost" onClick={() => setOpen(open === "edit" ? null : "edit")} aria-expanded={open === "edit"} aria-label={t("editName", { name: named })}>
            {t("edit")}
          </Button>
          <Button kind="ghost" busy={change.isPending && open !== "edit"} onClick={() => change.mutate({ enabled: isDisabled })} aria-label={t(isDisabled ? "enableName" : "pauseName", { name: named })}>
            {isDisabled ? t("enable") : t("pause")}
          </Button>
          <Button kind="danger" onClick={() => setOpen("delete")} aria-label={t("deleteName", { name: named })}>
            {t("delete")}
          </Button>
        </>
      }
    >
      <p className={styles.facts}>
        <StateBadge label={webhookState(hook)} />
        <span>{hook.events.join(", ")}</span>
        <span>{t("since", { at: formatZonedTime(hook.created_at) })}</span>
      </p>
      {error && <Note tone="bad">{error.message}</Note>}
      {open === "edit" && (
        <WebhookForm
          initial={{ url: hook.url, description: hook.description, events: hook.events as EventName[] }}
          fixedUrl
          submit={t("save")}
          busy={change.isPending}
          error={change.error}
          onSubmit={({ description, events }) => change.mutate({ description, events })}
          onCancel={close}
        />
      )}
      <p className={styles.more}>
        <Button kind="ghost" aria-expanded={open === "messages"} aria-label={t("messagesTo", { name: named })} onClick={() => setOpen(open === "messages" ? null : "messages")}>
          {open === "messages" ? t("hideMessages") : t("messages")}
        </Button>
      </p>
      {open === "messages" && <Deliveries hook={hook} />}
      <DeleteDialog hook={hook} open={open === "delete"} onClose={close} />
    </Card>
  );
}

function DeleteDialog({ hook, open, onClose }: { hook: WebhookEntry; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteWebhook({ path: { webhook_id: hook.id } }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  return (
    <Dialog
      title={t("deleteWebhookQuestion")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("keepIt")}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t("deleteWebhook")}
          </Button>
        </>
      }
    >
      <p className={styles.url}>{t("deleteWebhookText", { url: hook.url })}</p>
      {remove.error && <Note tone="bad">{remove.error.message}</Note>}
    </Dialog>
  );
}
