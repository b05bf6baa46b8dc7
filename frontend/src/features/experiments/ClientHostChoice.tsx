import { useId } from "react";
import { Note } from "@/components/Status";
import styles from "./PlanPane.module.css";
import type { ChosenHosts } from "./useChosenHosts";

/** The choice of the host that runs the clients of remote paths; nothing where no chosen path takes one. */
export function ClientHostChoice({ chosen }: { chosen: ChosenHosts }) {
  const id = useId();
  if (!chosen.takesClientHost || chosen.hosts.length < 2) return null;
  return (
    <>
      <p className={styles.query}>
        <label htmlFor={id}>Clients of remote paths run on</label>
        <select id={id} className={styles.host} value={chosen.clientHost ?? ""} onChange={(event) => chosen.onClientHost(event.target.value || undefined)}>
          <option value="">the same host, in a network of its own</option>
          {chosen.clientHosts.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </p>
      {chosen.clientHosts.length === 0 && <Note tone="info">No other host is online. A client host must be online and not drained.</Note>}
      {chosen.clientHost && (
        <Note tone="info">
          {chosen.clientHost} runs the clients of <code>published_remote</code>, <code>host_network_remote</code> and <code>overlay</code> over the link between the hosts; these cells need <code>engine: host</code>. Both hosts are locked during such a trial.
        </Note>
      )}
    </>
  );
}
