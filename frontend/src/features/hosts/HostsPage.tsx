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
import { messages } from "@/messages";
import { Enrolments } from "./Enrolments";
import { Labels } from "./Labels";
import styles from "./HostPage.module.css";

const t = messages("hosts");

const columns = () => [[t("host")], [t("state")], [t("lastSeen")], [t("queued"), "num"], [t("running"), "num"], [t("spread"), "num"], [t("release")], [t("diskFree"), "num"]] as const;

/** All hosts: state, queue, noise, release and disk of each. */
export function HostsPage() {
  useTitle(t("hosts"));
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const mayAdd = useMay("installation");
  const now = useNow();
  const all = hosts.data ?? [];
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("hosts") }]} title={t("hosts")} meta={t("hostsMeta")} />
      <Card title={t("hosts")} note={t("spreadNote")} flush={all.length > 0}>
        <QueryStatus query={hosts} label={t("loadingHosts")} />
        {hosts.data && all.length === 0 && (
          <Empty title={t("noHost")}>
            <p>{t("noHostText")}</p>
          </Empty>
        )}
        {all.length > 0 && (
          <DataTable label={t("hosts")} columns={columns()}>
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
      <td data-label={t("state")}>
        <span className={styles.states}>
          <State label={hostState(host)} />
          {host.pause && <State label={PAUSES[host.pause.code]} />}
          {host.conditions?.some(({ until }) => until === null) && <State label={CONDITIONS.current}>{t("hasProblem")}</State>}
        </span>
      </td>
      <td data-label={t("lastSeen")}>
        <span title={formatTime(host.last_seen_at)}>{formatAgo(host.last_seen_at, now)}</span>
      </td>
      <td data-label={t("queued")} className={table.num}>{formatNumber(host.queued_trials ?? 0)}</td>
      <td data-label={t("running")} className={table.num}>{formatNumber(host.running_trials ?? 0)}</td>
      <td data-label={t("spread")} className={table.num}>{host.spread == null ? "–" : formatPercent(host.spread)}</td>
      <td data-label={t("release")}>{!release || release.state === "not_reported" ? <span className={table.quiet}>{t("serverMachine")}</span> : <State label={RELEASES[release.state]}>{release.worker}</State>}</td>
      <td data-label={t("diskFree")} className={table.num}>{disk?.free_bytes == null ? "–" : formatBytes(disk.free_bytes)}</td>
    </tr>
  );
}
