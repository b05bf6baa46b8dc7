import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { revokeHost, type Host } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { Failure } from "@/components/Status";
import { useMay } from "@/components/useMay";
import styles from "./HostPage.module.css";

/** Ends the access of a host that joined; only for administrators of the installation. */
export function AccessCard({ host }: { host: Host }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const mayChange = useMay("installation");
  const revoke = useMutation({
    mutationFn: () => revokeHost({ path: { host: host.name } }),
    onSuccess: async () => {
      setAsking(false);
      await client.invalidateQueries({ queryKey: queries.host(host.name).queryKey });
    },
  });
  if (!mayChange || host.access === undefined || host.access === "server") return null;
  if (host.access === "revoked") {
    return (
      <Card title="Access" note="This host joined over HTTPS">
        <p className={styles.none}>It left, or its token was revoked: it can report nothing. A new enrolment lets it join again.</p>
      </Card>
    );
  }
  return (
    <Card title="Access" note="This host joined over HTTPS; its worker has a token for this host alone" actions={<Button onClick={() => setAsking(true)}>Revoke the token</Button>}>
      <p className={styles.none}>A revoked token ends the worker at once; records that it has not sent stay on its disk.</p>
      <Dialog
        title={`Revoke the token of ${host.name}?`}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke it
            </Button>
          </>
        }
      >
        <p>Its worker can report nothing more. Runs and results stay; queued trials wait until the host joins again with a new enrolment.</p>
        {revoke.error && <Failure error={revoke.error} />}
      </Dialog>
    </Card>
  );
}
