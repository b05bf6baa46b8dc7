import { useState } from "react";
import type { HostDetail } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { useMay } from "@/components/useMay";
import { PolicyForm } from "./PolicyForm";
import { policyFacts } from "./policyFields";
import styles from "./HostPage.module.css";

/** What runs may do on a host; administrators of the installation change it. */
export function PolicyCard({ host }: { host: HostDetail }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMay("installation");
  const facts = policyFacts(host.policy ?? {});
  return (
    <Card title="Policy" note="Cells that it forbids stay in a plan as infeasible, with the reason" actions={mayChange && !isOpen && <Button onClick={() => setOpen(true)}>Change the policy</Button>}>
      {facts.length === 0 ? <p className={styles.none}>No limits on Docker daemons, proxy programs, the length of trials or hours.</p> : <Facts facts={facts} />}
      {isOpen && mayChange && <PolicyForm host={host} onDone={() => setOpen(false)} />}
    </Card>
  );
}
