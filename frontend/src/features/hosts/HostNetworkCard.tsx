import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateHost, type Host } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { State } from "@/components/State";
import { HOST_NETWORK } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import styles from "./HostPage.module.css";

/** Whether runs may use the host's network and its own Docker daemon; administrators of the installation change it. */
export function HostNetworkCard({ host }: { host: Host }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const mayChange = useMay("installation");
  const isOpen = host.host_network ?? true;
  const change = useMutation({
    mutationFn: (host_network: boolean) => updateHost({ path: { host: host.name }, body: { host_network } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queries.host(host.name).queryKey });
      await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    },
    onSettled: () => setAsking(false),
  });
  return (
    <Card
      title="The host’s network"
      note="Some paths run load and servers in the host’s own network, or in its own Docker daemon"
      actions={
        mayChange && (
          <Button busy={change.isPending} onClick={() => (isOpen ? change.mutate(false) : setAsking(true))}>
            {isOpen ? "Close to runs" : "Open to runs"}
          </Button>
        )
      }
    >
      <p>
        <State label={isOpen ? HOST_NETWORK.open : HOST_NETWORK.closed} />
      </p>
      <p className={styles.consequence}>
        {isOpen
          ? "Runs of every team may use it: their programs reach what listens on the host’s addresses only, and take its ports. Close it where members of teams must not."
          : "A run with such a path is refused at its start, with the path that needs it. Trials of runs that started before fail with the reason when their turn comes; all other paths are unaffected."}
        {!mayChange && " Only administrators of the installation change this."}
      </p>
      {change.error && <Note tone="bad">{change.error.message}</Note>}
      <Dialog
        title={`Open the network of ${host.name} to runs?`}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it closed</Button>
            <Button kind="danger" busy={change.isPending} onClick={() => change.mutate(true)}>
              Open to runs of every team
            </Button>
          </>
        }
      >
        <p>Everybody with the role runner in any team can then start load generators and servers in the host’s network and in its own Docker daemon. These reach services that listen on the host’s addresses only, and can occupy its ports while a trial runs.</p>
      </Dialog>
    </Card>
  );
}
