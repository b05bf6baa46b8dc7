import type { Host } from "@/api/generated";
import { messages } from "@/messages";
import styles from "./Plan.module.css";
import { hostsOf, labelsOf, type HostSet } from "./hostSet";

const t = messages("experiments");

interface Props {
  hosts: readonly Host[];
  host: string | undefined;
  isGone: boolean;
  onHost: (name: string) => void;
  /** Several hosts in place of the one. */
  several: HostSet | null;
  onSeveral: (next: HostSet | null) => void;
}

const SEVERAL = "several:";
const LABEL = "label:";
const ONE = "host:";

/** The choice of a host, of several, or of all hosts with a label. */
export function HostChoice({ hosts, host, isGone, onHost, several, onSeveral }: Props) {
  const value = several === null ? `${ONE}${host ?? ""}` : several.label === undefined ? SEVERAL : `${LABEL}${several.label}`;
  const choose = (next: string) => {
    if (next === SEVERAL) return onSeveral({ names: hosts.filter(({ pause }) => pause?.code !== "drained").map(({ name }) => name) });
    if (next.startsWith(LABEL)) return onSeveral({ label: next.slice(LABEL.length) });
    onSeveral(null);
    onHost(next.slice(ONE.length));
  };
  return (
    <select className={styles.host} aria-label={t("host")} value={value} onChange={(event) => choose(event.target.value)}>
      {isGone && host !== undefined && <option value={`${ONE}${host}`}>{t("hostGone", { host })}</option>}
      {hosts.map((each) => (
        <option key={each.id} value={`${ONE}${each.name}`}>
          {each.online ? each.name : t("hostOffline", { host: each.name })}
        </option>
      ))}
      <option value={SEVERAL}>{t("severalHosts")}</option>
      {labelsOf(hosts).map((label) => (
        <option key={label} value={`${LABEL}${label}`}>
          {t("labelHosts", { label, count: hostsOf({ label }, hosts).length })}
        </option>
      ))}
    </select>
  );
}

/** The hosts of a set; those of names can be chosen. */
export function SeveralHosts({ hosts, several, onSeveral }: Pick<Props, "hosts"> & { several: HostSet; onSeveral: (next: HostSet) => void }) {
  const chosen = hostsOf(several, hosts);
  const names = several.names ?? [];
  return (
    <fieldset className={styles.hosts}>
      <legend>{t("hostsChosen", { count: chosen.length })}</legend>
      {(several.label === undefined ? hosts : hosts.filter(({ name }) => chosen.includes(name))).map((host) => (
        <label key={host.id}>
          <input
            type="checkbox"
            checked={chosen.includes(host.name)}
            disabled={several.label !== undefined}
            onChange={(event) => onSeveral({ names: event.target.checked ? [...names, host.name] : names.filter((name) => name !== host.name) })}
          />{" "}
          {host.pause?.code === "drained" ? t("hostDrained", { host: host.name }) : host.online ? host.name : t("hostOfflineWaits", { host: host.name })}
        </label>
      ))}
    </fieldset>
  );
}
