import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { revokeHost, type Host } from "@/api/generated";
import { queries } from "@/api/queries";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Dialog } from "@/components/Dialog";
import { Failure } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

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
      <Card title={t("access")} note={t("joinedNote")}>
        <p className={styles.none}>{t("revokedText")}</p>
      </Card>
    );
  }
  return (
    <Card title={t("access")} note={t("accessNote")} actions={<Button onClick={() => setAsking(true)}>{t("revokeToken")}</Button>}>
      <p className={styles.none}>{t("revokeAbout")}</p>
      <Dialog
        title={t("revokeQuestion", { host: host.name })}
        open={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t("keepIt")}</Button>
            <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
              {t("revokeIt")}
            </Button>
          </>
        }
      >
        <p>{t("revokeEffect")}</p>
        {revoke.error && <Failure error={revoke.error} />}
      </Dialog>
    </Card>
  );
}
