import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createWebhook, listWebhooks } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { SecretOnce } from "@/components/SecretOnce";
import { Empty, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { AdminsOnly } from "./AdminsOnly";
import { TeamHead } from "./TeamHead";
import { WebhookCard } from "./WebhookCard";
import { WebhookForm, type WebhookDraft } from "./WebhookForm";
import { events } from "./webhookText";
import { WEBHOOKS } from "./webhookKeys";

const t = messages("team");

const blank = (): WebhookDraft => ({ url: "", description: "", events: events().map(({ name }) => name) });

/** The webhooks of the team, with their messages. */
export function WebhooksPage() {
  useTitle(t("webhooks"));
  const isAdmin = useMay("admin");
  const hooks = useQuery({ queryKey: WEBHOOKS, queryFn: async () => (await listWebhooks()).data, enabled: isAdmin });
  return (
    <>
      <TeamHead page="webhooks" meta={t("webhooksMeta")} />
      <AdminsOnly what={t("manageWebhooks")}>
        <NewWebhook />
        <QueryStatus query={hooks} label={t("loadingWebhooks")} />
        {hooks.data?.length === 0 && (
          <Empty title={t("noWebhooks")} level={2}>
            <p>{t("noWebhooksText")}</p>
          </Empty>
        )}
        {hooks.data?.map((hook) => (
          <WebhookCard key={hook.id} hook={hook} />
        ))}
      </AdminsOnly>
    </>
  );
}

/** The form of a new webhook; after its creation its secret, once. */
function NewWebhook() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const create = useMutation({
    mutationFn: (body: WebhookDraft) => createWebhook({ body }),
    onSuccess: () => {
      setOpen(false);
      return client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  const begin = () => {
    create.reset();
    setOpen(true);
  };
  if (!open && !create.data)
    return (
      <div>
        <Button kind="primary" onClick={begin}>
          {t("newWebhook")}
        </Button>
      </div>
    );
  return (
    <Card title={create.data ? t("webhookCreated") : t("newWebhook")} actions={create.data && <Button onClick={begin}>{t("newWebhook")}</Button>}>
      {create.data ? (
        <SecretOnce label={t("secret")} text={create.data.secret} note={t("secretNote")} />
      ) : (
        <WebhookForm initial={blank()} submit={t("createWebhook")} busy={create.isPending} error={create.error} onSubmit={(draft) => create.mutate(draft)} onCancel={() => setOpen(false)} />
      )}
    </Card>
  );
}
