import { useId } from "react";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Plan.module.css";
import type { ChosenHosts } from "./useChosenHosts";

const t = messages("experiments");

/** The choice of the host that runs the clients of remote paths; nothing where no chosen path takes one. */
export function ClientHostChoice({ chosen }: { chosen: ChosenHosts }) {
  const id = useId();
  if (!chosen.takesClientHost || chosen.hosts.length < 2) return null;
  return (
    <>
      <p className={styles.query}>
        <label htmlFor={id}>{t("clientsRunOn")}</label>
        <select id={id} className={styles.host} value={chosen.clientHost ?? ""} onChange={(event) => chosen.onClientHost(event.target.value || undefined)}>
          <option value="">{t("clientsSameHost")}</option>
          {chosen.clientHosts.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </p>
      {chosen.clientHosts.length === 0 && <Note tone="info">{t("noClientHost")}</Note>}
      {chosen.clientHost && (
        <Note tone="info">
          <RichText namespace="experiments" id="clientHostNote" values={{ host: chosen.clientHost }} parts={{ code: <code /> }} />
        </Note>
      )}
    </>
  );
}
