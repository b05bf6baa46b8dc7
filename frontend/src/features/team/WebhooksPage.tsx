import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createWebhook, listWebhooks } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { SecretOnce } from "@/components/SecretOnce";
import { Empty, QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { AdminsOnly } from "./AdminsOnly";
import { TeamHead } from "./TeamHead";
import { WebhookCard } from "./WebhookCard";
import { WebhookForm, type WebhookDraft } from "./WebhookForm";
import { EVENTS } from "./webhookText";
import { WEBHOOKS } from "./webhookKeys";

const BLANK: WebhookDraft = { url: "", description: "", events: EVENTS.map(({ name }) => name) };

/** The webhooks of the team, with their messages. */
export function WebhooksPage() {
  useTitle("Webhooks");
  const isAdmin = useMay("admin");
  const hooks = useQuery({ queryKey: WEBHOOKS, queryFn: async () => (await listWebhooks()).data, enabled: isAdmin });
  return (
    <>
      <TeamHead page="Webhooks" meta="A webhook sends a signed message to a URL of yours when a run of the team has ended." />
      <AdminsOnly what="manage webhooks">
        <NewWebhook />
        <QueryStatus query={hooks} label="Loading the webhooks" />
        {hooks.data?.length === 0 && (
          <Empty title="No webhooks yet">
            <p>With one, a chat or a pipeline learns that a run has ended without asking for it.</p>
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
          New webhook
        </Button>
      </div>
    );
  return (
    <Card title={create.data ? "Webhook created" : "New webhook"} actions={create.data && <Button onClick={begin}>New webhook</Button>}>
      {create.data ? (
        <SecretOnce label="Secret" text={create.data.secret} note="The secret is shown only once. The receiver checks the signature of every message with it, for example with a library of Standard Webhooks." />
      ) : (
        <WebhookForm initial={BLANK} submit="Create webhook" busy={create.isPending} error={create.error} onSubmit={(draft) => create.mutate(draft)} onCancel={() => setOpen(false)} />
      )}
    </Card>
  );
}
