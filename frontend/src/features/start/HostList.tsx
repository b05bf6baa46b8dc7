import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ableOf, hasTold, hostHref } from "@/api/capabilities";
import { getHosts } from "@/api/getHosts";
import { keys } from "@/api/queryKeys";
import type { Host } from "@/api/types";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { StateBadge } from "@/components/State";
import { HOST_STATES } from "@/components/states";
import { Empty, Failure, Loading } from "@/components/Status";
import styles from "./HostList.module.css";

const SHOWN = ["kernel", "docker", "cpu", "cpu_model", "cores"];

/** The hosts whose worker has announced itself, and whether it still answers. */
export function HostList() {
  const hosts = useQuery({ queryKey: keys.hosts, queryFn: getHosts, refetchInterval: 10_000 });
  return (
    <Card title="Hosts">
      {hosts.isPending && <Loading label="Loading the hosts" rows={2} />}
      {hosts.isError && !hosts.data && <Failure error={hosts.error} retry={() => void hosts.refetch()} />}
      {hosts.data?.length === 0 && (
        <Empty title="No host yet">
          <p>A worker announces its host when it is ready. It starts with Plimsoll itself and takes a moment.</p>
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
        <Can host={host} />
        {!host.online && <span className={styles.facts}>last seen {formatTime(host.last_seen_at)}; runs wait until it is back</span>}
      </div>
      <StateBadge told={host.online ? HOST_STATES.online : HOST_STATES.offline} />
    </li>
  );
}

/** How many paths this host can carry, once it has told. */
function Can({ host }: { host: Host }) {
  const paths = ableOf(host, "path");
  if (!hasTold(host, "path")) return null;
  const able = paths.filter((path) => path.able).length;
  return (
    <span className={styles.facts}>
      carries {able === paths.length ? `all ${able}` : `${able} of ${paths.length}`} paths
    </span>
  );
}
