import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { capabilitiesOf, hasReported, hostHref } from "@/api/capabilities";
import { queries } from "@/api/queries";
import type { Host } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { hostState } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import styles from "./HostList.module.css";

const SHOWN = ["kernel", "docker", "cpu", "cpu_model", "cores"];

/** The registered hosts, and whether their worker is online. */
export function HostList() {
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  return (
    <Card title="Hosts">
      <QueryStatus query={hosts} label="Loading the hosts" rows={2} />
      {hosts.data?.length === 0 && (
        <Empty title="No host yet">
          <p>A worker registers its host when it is ready, shortly after the start of Plimsoll.</p>
        </Empty>
      )}
      <ul className={styles.hosts}>
        {hosts.data?.map((host) => (
          <HostLine key={host.id} host={host} />
        ))}
      </ul>
    </Card>
  );
}

function HostLine({ host }: { host: Host }) {
  const facts = SHOWN.flatMap((name) => {
    const value = host.environment[name];
    return typeof value === "string" || typeof value === "number" ? [name === "cores" ? `${value} cores` : name === "docker" ? `Docker ${value}` : String(value)] : [];
  });
  return (
    <li className={styles.host}>
      <div>
        <Link className={styles.name} to={hostHref(host.name)}>{host.name}</Link>
        {facts.length > 0 && <span className={styles.facts}>{facts.join(" · ")}</span>}
        <SupportedPaths host={host} />
        {!host.online && <span className={styles.facts}>unavailable since {formatTime(host.last_seen_at)}; runs wait until it is back</span>}
      </div>
      <StateBadge label={hostState(host)} />
    </li>
  );
}

/** The number of paths that the host supports, once it has reported them. */
function SupportedPaths({ host }: { host: Host }) {
  const paths = capabilitiesOf(host, "path");
  if (!hasReported(host, "path")) return null;
  const supported = paths.filter((path) => path.supported).length;
  return (
    <span className={styles.facts}>
      supports {supported === paths.length ? `all ${supported}` : `${supported} of ${paths.length}`} paths
    </span>
  );
}
