import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { capabilitiesOf, hasReported, type Capability } from "@/api/capabilities";
import { queries } from "@/api/queries";
import type { Host } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatMemory, formatNumber, formatTime, plural, humanize } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { PathName } from "@/components/PathName";
import { State, StateBadge } from "@/components/State";
import { HOST_SUPPORT, HOST_STATES } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { Conditions } from "./Conditions";
import { EquivalenceCard } from "./EquivalenceCard";
import { HostNetworkCard } from "./HostNetworkCard";
import styles from "./HostPage.module.css";

/** The Docker daemons that a run can use; lab daemons by their setting of userland-proxy. */
const DAEMONS: Record<string, string> = { on: "lab, userland-proxy on", off: "lab, userland-proxy off", host: "the host’s own daemon" };

/** The page of a host: conditions, paths, Docker daemons, proxy programs and environment. */
export function HostPage() {
  const { host: name = "" } = useParams();
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 10_000 });
  const factors = useQuery(queries.factors());
  const host = hosts.data?.find((each) => each.name === name || each.id === name);
  useTitle(host?.name ?? "Host");
  const crumbs = [{ label: "Start", to: "/" }, { label: host?.name ?? "Host" }];
  if (!hosts.data || factors.isPending) return <PageStatus query={hosts} crumbs={crumbs} title="Host" label="Loading the host" />;
  if (!host)
    return (
      <>
        <PageHead crumbs={crumbs} title={name} />
        <Note tone="warn">No host named “{name}” is registered.</Note>
      </>
    );
  const titles = new Map(factors.data?.paths.map(({ name: path, title }) => [path, title]));
  return (
    <>
      <PageHead crumbs={crumbs} title={host.name} meta={<Meta host={host} />} actions={<ButtonLink to="/new">Define an experiment</ButtonLink>} />
      <Conditions all={host.conditions ?? []} />
      {hasReported(host, "path") ? <Paths paths={capabilitiesOf(host, "path", titles.keys())} titles={titles} /> : <Note tone="info">This host’s worker has not reported yet which paths it supports.</Note>}
      <div className={styles.pair}>
        <Capabilities title="Docker daemons" note="userland-proxy cannot be changed in a running daemon, so each setting has its own daemon" all={capabilitiesOf(host, "engine").map((engine) => ({ ...engine, name: DAEMONS[engine.name] ?? engine.name }))} />
        <Capabilities title="Proxy programs" note="Programs that a lab daemon can start in place of docker-proxy" all={capabilitiesOf(host, "program")} />
      </div>
      <EquivalenceCard host={host.name} possible={capabilitiesOf(host, "engine").some((engine) => engine.name === "host" && engine.supported)} />
      <HostNetworkCard host={host} />
      <Environment host={host} />
    </>
  );
}

function Meta({ host }: { host: Host }) {
  const { cores, memory_bytes, memory_mb, host_userland_proxy: setting, max_scale: scale } = host.capabilities;
  // Older workers report memory in units of 2²⁰ bytes.
  const memory = memory_bytes ?? (memory_mb == null ? null : memory_mb * 2 ** 20);
  return (
    <>
      <StateBadge label={host.online ? HOST_STATES.online : HOST_STATES.offline} />
      {cores != null && <span>{plural(cores, "core")}</span>}
      {memory != null && <span>{formatMemory(memory)} of memory</span>}
      {scale != null && scale > 0 && <span>pgbench up to scale {formatNumber(scale)}</span>}
      {typeof setting === "boolean" && <span>host daemon with userland-proxy {setting ? "on" : "off"}</span>}
      <span>last seen {formatTime(host.last_seen_at)}</span>
    </>
  );
}

function Paths({ paths, titles }: { paths: readonly Capability[]; titles: ReadonlyMap<string, string> }) {
  const supported = paths.filter((path) => path.supported);
  const limited = [...supported.filter((path) => path.reasons.length > 0), ...paths.filter((path) => !path.supported)];
  return (
    <Card title="Paths" note={`Tested when the worker started: ${supported.length} of ${paths.length} can be measured here. Cells on the other paths stay in the plan with the reason`}>
      <ul className={styles.able} aria-label="Paths that this host supports">
        {supported.map((path) => (
          <li key={path.name}>
            <State label={HOST_SUPPORT.yes}>
              <PathName name={path.name} title={titles.get(path.name)} />
            </State>
          </li>
        ))}
      </ul>
      {limited.length > 0 && <Reasons label="Paths that this host does not support, or only in part" all={limited} titles={titles} />}
    </Card>
  );
}

/** Names with their support and its limits. */
function Reasons({ label, all, titles }: { label: string; all: readonly Capability[]; titles?: ReadonlyMap<string, string> }) {
  return (
    <ul className={styles.unable} aria-label={label}>
      {all.map(({ name, supported, reasons }) => (
        <li key={name}>
          <State label={supported ? (reasons.length > 0 ? HOST_SUPPORT.partly : HOST_SUPPORT.yes) : HOST_SUPPORT.no}>
            <PathName name={name} title={titles?.get(name)} />
          </State>
          <span>{reasons.join("; ")}</span>
        </li>
      ))}
    </ul>
  );
}

function Capabilities({ title, note, all }: { title: string; note: string; all: readonly Capability[] }) {
  return (
    <Card title={title} note={note}>
      {all.length === 0 ? <p className={styles.none}>none reported</p> : <Reasons label={title} all={all} />}
    </Card>
  );
}

/** The environment that the worker reported. */
function Environment({ host }: { host: Host }) {
  const facts = Object.entries(host.environment).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[humanize(name), String(value)] as const] : [],
  );
  if (facts.length === 0) return null;
  return (
    <Card title="Environment" note="Recorded with every run">
      <Facts facts={facts} />
    </Card>
  );
}
