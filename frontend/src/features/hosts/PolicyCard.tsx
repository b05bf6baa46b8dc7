import { useState } from "react";
import type { HostDetail } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { PolicyForm } from "./PolicyForm";
import { policyFacts } from "./policyFields";
import styles from "./HostPage.module.css";

const t = messages("hosts");

/** What runs may do on a host; administrators of the installation change it. */
export function PolicyCard({ host }: { host: HostDetail }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMay("installation");
  const facts = policyFacts(host.policy ?? {});
  return (
    <Card title={t("policy")} note={t("policyNote")} actions={mayChange && !isOpen && <Button onClick={() => setOpen(true)}>{t("changePolicy")}</Button>}>
      {facts.length === 0 ? <p className={styles.none}>{t("noLimits")}</p> : <Facts facts={facts} />}
      {isOpen && mayChange && <PolicyForm host={host} onDone={() => setOpen(false)} />}
    </Card>
  );
}
