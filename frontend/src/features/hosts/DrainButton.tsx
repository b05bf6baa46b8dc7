import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { drainHost, resumeHost, type HostDetail } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { plural } from "@/components/format";
import { Failure } from "@/components/Status";
import { useMay } from "@/components/useMay";

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
        {isDrained ? "Resume" : "Drain"}
      </Button>
      <Dialog
        title={isDrained ? `Resume ${host.name}?` : `Drain ${host.name}?`}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{isDrained ? "Keep it drained" : "Keep it in use"}</Button>
            <Button kind={isDrained ? "primary" : "danger"} busy={change.isPending} onClick={() => change.mutate(!isDrained)}>
              {isDrained ? "Resume the host" : "Drain the host"}
            </Button>
          </>
        }
      >
        <p>{isDrained ? `It starts the ${plural(host.queue.queued_trials, "queued trial")} of every team again.` : `It starts no new trial, of no team. A running trial ends by itself and is recorded; ${plural(host.queue.queued_trials, "queued trial")} wait until somebody resumes the host.`}</p>
        {change.error && <Failure error={change.error} />}
      </Dialog>
    </>
  );
}
