import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { hostHref } from "@/api/capabilities";
import { queries } from "@/api/queries";
import type { Host } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatAgo, formatBytes, formatNumber, formatPercent, formatTime } from "@/components/format";
import { PAUSES } from "@/components/hostPause";
import { PageHead } from "@/components/PageHead";
import { State } from "@/components/State";
import { CONDITIONS, hostState, RELEASES } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useMay } from "@/components/useMay";
import { useNow } from "@/components/useNow";
import { useTitle } from "@/components/useTitle";
import { Enrolments } from "./Enrolments";
import { Labels } from "./Labels";
import styles from "./HostPage.module.css";

const COLUMNS = [["Host"], ["State"], ["Last seen"], ["Queued", "num"], ["Running", "num"], ["Spread", "num"], ["Release"], ["Disk free", "num"]] as const;

/** All hosts: state, queue, noise, release and disk of each. */
export function HostsPage() {
  useTitle("Hosts");
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const mayAdd = useMay("installation");
  const now = useNow();
  const all = hosts.data ?? [];
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Hosts" }]} title="Hosts" meta="Docker hosts on which a worker measures. Every team uses them; administrators of the installation decide what runs there." />
      <Card title="Hosts" note="Spread: standard deviation of one trial, from the host’s A/A pairs" flush={all.length > 0}>
        <QueryStatus query={hosts} label="Loading the hosts" />
        {hosts.data && all.length === 0 && (
          <Empty title="No host yet">
            <p>A worker registers its host when it is ready, shortly after its start.</p>
          </Empty>
        )}
        {all.length > 0 && (
          <DataTable label="Hosts" columns={COLUMNS}>
            {all.map((host) => (
              <HostRow key={host.id} host={host} now={now} />
            ))}
          </DataTable>
        )}
      </Card>
      {mayAdd && <Enrolments />}
    </>
  );
}

function HostRow({ host, now }: { host: Host; now: number }) {
  const { release, disk } = host;
  return (
    <tr>
      <th scope="row">
        <Link to={hostHref(host.name)}>{host.name}</Link>
        {host.labels && host.labels.length > 0 && <Labels labels={host.labels} />}
      </th>
      <td data-label="State">
        <span className={styles.states}>
          <State label={hostState(host)} />
          {host.pause && <State label={PAUSES[host.pause.code]} />}
          {host.conditions?.some(({ until }) => until === null) && <State label={CONDITIONS.current}>has a problem</State>}
        </span>
      </td>
      <td data-label="Last seen">
        <span title={formatTime(host.last_seen_at)}>{formatAgo(host.last_seen_at, now)}</span>
      </td>
      <td data-label="Queued" className={table.num}>{formatNumber(host.queued_trials ?? 0)}</td>
      <td data-label="Running" className={table.num}>{formatNumber(host.running_trials ?? 0)}</td>
      <td data-label="Spread" className={table.num}>{host.spread == null ? "–" : formatPercent(host.spread)}</td>
      <td data-label="Release">{!release || release.state === "not_reported" ? <span className={table.quiet}>the server’s machine</span> : <State label={RELEASES[release.state]}>{release.worker}</State>}</td>
      <td data-label="Disk free" className={table.num}>{disk?.free_bytes == null ? "–" : formatBytes(disk.free_bytes)}</td>
    </tr>
  );
}
