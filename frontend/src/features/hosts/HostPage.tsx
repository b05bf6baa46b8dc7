import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { ApiError } from "@/api/errors";
import { capabilitiesOf, hasReported, type Capability } from "@/api/capabilities";
import { queries } from "@/api/queries";
import type { Host } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { FoldedFacts } from "@/components/FoldedFacts";
import { factName } from "@/components/factName";
import { formatMemory, formatNumber } from "@/components/format";
import { describePause, PAUSES } from "@/components/hostPause";
import { PageHead } from "@/components/PageHead";
import { PageStatus } from "@/components/PageStatus";
import { PathName } from "@/components/PathName";
import { State, StateBadge } from "@/components/State";
import { HOST_SUPPORT, hostState } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { AccessCard } from "./AccessCard";
import { Conditions } from "./Conditions";
import { EquivalenceCard } from "./EquivalenceCard";
import { HealthCard } from "./HealthCard";
import { HostNetworkCard } from "./HostNetworkCard";
import { Labels } from "./Labels";
import { LabelsCard } from "./LabelsCard";
import { NoiseCard } from "./NoiseCard";
import { PolicyCard } from "./PolicyCard";
import { engineNames } from "./policyFields";
import { QueueCard } from "./QueueCard";
import styles from "./HostPage.module.css";

const t = messages("hosts");

const daemons = (): Record<string, string> => engineNames();

/** The page of a host: health, queue, noise, conditions, policy, paths, Docker daemons, proxy programs and environment. */
export function HostPage() {
  const { host: name = "" } = useParams();
  const found = useQuery({ ...queries.host(name), refetchInterval: 10_000 });
  const factors = useQuery(queries.factors());
  const host = found.data;
  useTitle(host?.name ?? t("host"));
  const crumbs = [{ label: t("start"), to: "/" }, { label: t("hosts"), to: "/hosts" }, { label: host?.name ?? t("host") }];
  if (found.error instanceof ApiError && found.error.status === 404)
    return (
      <>
        <PageHead crumbs={crumbs} title={name} />
        <Note tone="warn">{t("unknownHost", { name })}</Note>
      </>
    );
  if (!host || factors.isPending) return <PageStatus query={found} crumbs={crumbs} title={t("host")} label={t("loadingHost")} />;
  // One whose access ended starts no trial in any case.
  const paused = host.access === "revoked" ? null : describePause(host);
  const titles = new Map(factors.data?.paths.map(({ name: path, title }) => [path, title]));
  return (
    <>
      <PageHead crumbs={crumbs} title={host.name} meta={<Meta host={host} />} actions={<ButtonLink to="/new">{t("defineExperiment")}</ButtonLink>} />
      {paused && <Note tone="warn">{paused}</Note>}
      <Conditions all={host.conditions ?? []} />
      <div className={styles.pair}>
        <QueueCard host={host} />
        <HealthCard host={host} />
      </div>
      <NoiseCard noise={host.noise} />
      {hasReported(host, "path") ? <Paths paths={capabilitiesOf(host, "path", titles.keys())} titles={titles} /> : <Note tone="info">{t("pathsNotReported")}</Note>}
      <div className={styles.pair}>
        <Capabilities title={t("daemons")} note={t("daemonsNote")} all={capabilitiesOf(host, "engine").map((engine) => ({ ...engine, name: daemons()[engine.name] ?? engine.name }))} />
        <Capabilities title={t("programs")} note={t("programsNote")} all={capabilitiesOf(host, "program")} />
      </div>
      <EquivalenceCard host={host.name} measured={host.equivalence_run_id != null} possible={capabilitiesOf(host, "engine").some((engine) => engine.name === "host" && engine.supported)} />
      <div className={styles.pair}>
        <PolicyCard host={host} />
        <HostNetworkCard host={host} />
      </div>
      <LabelsCard host={host} />
      <AccessCard host={host} />
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
      <StateBadge label={hostState(host)} />
      {host.pause && <StateBadge label={PAUSES[host.pause.code]} />}
      {host.labels && host.labels.length > 0 && <Labels labels={host.labels} />}
      {cores != null && <span>{t("cores", { count: cores })}</span>}
      {memory != null && <span>{t("memory", { memory: formatMemory(memory) })}</span>}
      {scale != null && scale > 0 && <span>{t("maxScale", { scale: formatNumber(scale) })}</span>}
      {typeof setting === "boolean" && <span>{setting ? t("hostProxyOn") : t("hostProxyOff")}</span>}
    </>
  );
}

/** Longer lists of paths are folded. */
const FEW_PATHS = 8;

function Paths({ paths, titles }: { paths: readonly Capability[]; titles: ReadonlyMap<string, string> }) {
  const supported = paths.filter((path) => path.supported);
  const limited = [...supported.filter((path) => path.reasons.length > 0), ...paths.filter((path) => !path.supported)];
  return (
    <Card title={t("paths")} note={t("pathsNote", { supported: supported.length, all: paths.length })}>
      <details className={styles.supported} open={supported.length <= FEW_PATHS}>
        <summary>{t("supportedPaths")}</summary>
        <ul className={styles.able} aria-label={t("supportedPaths")}>
          {supported.map((path) => (
            <li key={path.name}>
              <State label={HOST_SUPPORT.yes}>
                <PathName name={path.name} title={titles.get(path.name)} />
              </State>
            </li>
          ))}
        </ul>
      </details>
      {limited.length > 0 && (
        <details className={styles.supported} open={limited.length <= FEW_PATHS}>
          <summary>{t("limitedPaths")}</summary>
          <Reasons label={t("limitedPaths")} all={limited} titles={titles} />
        </details>
      )}
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
      {all.length === 0 ? <p className={styles.none}>{t("noneReported")}</p> : <Reasons label={title} all={all} />}
    </Card>
  );
}

/** The environment that the worker reported. */
function Environment({ host }: { host: Host }) {
  const facts = Object.entries(host.environment).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[factName(name), String(value)] as const] : [],
  );
  if (facts.length === 0) return null;
  return (
    <Card title={t("environment")} note={t("environmentNote")}>
      <FoldedFacts facts={facts} />
    </Card>
  );
}
