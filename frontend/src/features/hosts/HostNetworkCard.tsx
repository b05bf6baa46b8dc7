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
import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

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
      title={t("network")}
      note={t("networkNote")}
      actions={
        mayChange && (
          <Button busy={change.isPending} onClick={() => (isOpen ? change.mutate(false) : setAsking(true))}>
            {isOpen ? t("closeNetwork") : t("openNetwork")}
          </Button>
        )
      }
    >
      <p>
        <State label={isOpen ? HOST_NETWORK.open : HOST_NETWORK.closed} />
      </p>
      <p className={styles.consequence}>
        {isOpen
          ? t("networkOpen")
          : t("networkClosed")}
        {!mayChange && ` ${t("onlyAdministrators")}`}
      </p>
      {change.error && <Note tone="bad">{change.error.message}</Note>}
      <Dialog
        title={t("openNetworkQuestion", { host: host.name })}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t("keepClosed")}</Button>
            <Button kind="danger" busy={change.isPending} onClick={() => change.mutate(true)}>
              {t("openToAll")}
            </Button>
          </>
        }
      >
        <p>{t("networkRisk")}</p>
      </Dialog>
    </Card>
  );
}
