import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { ableOf, hasTold, type Able } from "@/api/capabilities";
import { getFactors } from "@/api/getFactors";
import { getHosts } from "@/api/getHosts";
import { keys } from "@/api/queryKeys";
import type { Host } from "@/api/types";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatMemory, formatNumber, formatTime, plural, words } from "@/components/format";
import { PageHead } from "@/components/PageHead";
import { State, StateBadge } from "@/components/State";
import { CAN, HOST_STATES } from "@/components/states";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { Conditions } from "./Conditions";
import { EquivalenceCard } from "./EquivalenceCard";
import styles from "./HostPage.module.css";

/** What the engines are called: lab engines by their setting. */
const ENGINES: Record<string, string> = { on: "lab, userland-proxy on", off: "lab, userland-proxy off", host: "the host’s own daemon" };

/** One host: which paths it can carry, which not and why, its engines, programs and environment. */
export function HostPage() {
  const { host: name = "" } = useParams();
  const hosts = useQuery({ queryKey: keys.hosts, queryFn: getHosts, refetchInterval: 10_000 });
  const factors = useQuery({ queryKey: keys.factors, queryFn: getFactors, staleTime: Infinity });
  const host = hosts.data?.find((each) => each.name === name || each.id === name);
  useTitle(host?.name ?? "Host");
  const crumbs = [{ label: "Start", to: "/" }, { label: host?.name ?? "Host" }];
  if (hosts.isError && !hosts.data)
    return (
      <>
        <PageHead crumbs={crumbs} title="Host" />
        <Failure error={hosts.error} retry={() => void hosts.refetch()} />
      </>
    );
  if (!hosts.data || factors.isPending) return <Loading label="Loading the host" rows={8} />;
  if (!host)
    return (
      <>
        <PageHead crumbs={crumbs} title={name} />
        <Note tone="warn">No worker has announced a host named “{name}”.</Note>
      </>
    );
  const known = factors.data?.factors.find((factor) => factor.name === "path")?.choices.map(String) ?? [];
  return (
    <>
      <PageHead crumbs={crumbs} title={host.name} meta={<Meta host={host} />} actions={<ButtonLink to="/new">Define an experiment</ButtonLink>} />
      <Conditions all={host.conditions ?? []} />
      {hasTold(host, "path") ? <Paths paths={ableOf(host, "path", known)} /> : <Note tone="info">This host’s worker has not told yet which paths it can carry.</Note>}
      <div className={styles.pair}>
        <Ables title="Engines" note="The setting cannot change in a running daemon: each is an engine of its own" all={ableOf(host, "engine").map((engine) => ({ ...engine, name: ENGINES[engine.name] ?? engine.name }))} />
        <Ables title="Proxy programs" note="What an engine can start in place of docker-proxy" all={ableOf(host, "program")} />
      </div>
      <EquivalenceCard host={host.name} possible={ableOf(host, "engine").some((engine) => engine.name === "host" && engine.able)} />
      <Environment host={host} />
    </>
  );
}

function Meta({ host }: { host: Host }) {
  const { cores, memory_bytes, memory_mb, host_userland_proxy: setting, max_scale: scale } = host.capabilities;
  // A worker from before told it in 2²⁰ bytes only.
  const memory = memory_bytes ?? (memory_mb == null ? null : memory_mb * 2 ** 20);
  return (
    <>
      <StateBadge told={host.online ? HOST_STATES.online : HOST_STATES.offline} />
      {cores != null && <span>{plural(cores, "core")}</span>}
      {memory != null && <span>{formatMemory(memory)} of memory</span>}
      {scale != null && scale > 0 && <span>pgbench up to scale {formatNumber(scale)}</span>}
      {typeof setting === "boolean" && <span>its own daemon has userland-proxy {setting ? "on" : "off"}</span>}
      <span>seen {formatTime(host.last_seen_at)}</span>
    </>
  );
}

function Paths({ paths }: { paths: readonly Able[] }) {
  const able = paths.filter((path) => path.able);
  const limited = [...able.filter((path) => path.reasons.length > 0), ...paths.filter((path) => !path.able)];
  return (
    <Card title="Paths" note={`Found by trying when the worker started: ${able.length} of ${paths.length} can be measured here. A cell on one of the others stays in the plan with its reason`}>
      <ul className={styles.able} aria-label="Paths that this host can carry">
        {able.map((path) => (
          <li key={path.name}>
            <State told={CAN.yes}>{path.name}</State>
          </li>
        ))}
      </ul>
      {limited.length > 0 && <Reasons label="What this host cannot do, or only in part" all={limited} />}
    </Card>
  );
}

/** Each name with what it lacks. */
function Reasons({ label, all }: { label: string; all: readonly Able[] }) {
  return (
    <ul className={styles.unable} aria-label={label}>
      {all.map(({ name, able, reasons }) => (
        <li key={name}>
          <State told={able ? (reasons.length > 0 ? CAN.partly : CAN.yes) : CAN.no}>{name}</State>
          <span>{reasons.join("; ")}</span>
        </li>
      ))}
    </ul>
  );
}

function Ables({ title, note, all }: { title: string; note: string; all: readonly Able[] }) {
  return (
    <Card title={title} note={note}>
      {all.length === 0 ? <p className={styles.none}>none told</p> : <Reasons label={title} all={all} />}
    </Card>
  );
}

/** Everything plain that the worker told of the host. */
function Environment({ host }: { host: Host }) {
  const facts = Object.entries(host.environment).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[words(name), String(value)] as const] : [],
  );
  if (facts.length === 0) return null;
  return (
    <Card title="Environment" note="Recorded with every run">
      <Facts facts={facts} />
    </Card>
  );
}
