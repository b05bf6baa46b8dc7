import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { drainHost, resumeHost, type HostDetail } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Failure } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";

const t = messages("hosts");

/** Drains a host after a question, or resumes it; only for administrators of the installation. */
export function DrainButton({ host }: { host: HostDetail }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const mayChange = useMay("installation");
  const isDrained = host.pause?.code === "drained";
  const change = useMutation({
    mutationFn: (drain: boolean) => (drain ? drainHost : resumeHost)({ path: { host: host.name } }),
    onSuccess: async (changed) => {
      client.setQueryData(queries.host(host.name).queryKey, changed);
      setAsking(false);
      await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    },
  });
  if (!mayChange) return null;
  return (
    <>
      <Button busy={change.isPending} onClick={() => setAsking(true)}>
        {isDrained ? t("resume") : t("drain")}
      </Button>
      <Dialog
        title={isDrained ? t("resumeQuestion", { host: host.name }) : t("drainQuestion", { host: host.name })}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{isDrained ? t("keepDrained") : t("keepInUse")}</Button>
            <Button kind={isDrained ? "primary" : "danger"} busy={change.isPending} onClick={() => change.mutate(!isDrained)}>
              {isDrained ? t("resumeHost") : t("drainHost")}
            </Button>
          </>
        }
      >
        <p>{isDrained ? t("resumeEffect", { count: host.queue.queued_trials }) : t("drainEffect", { count: host.queue.queued_trials })}</p>
        {change.error && <Failure error={change.error} />}
      </Dialog>
    </>
  );
}
