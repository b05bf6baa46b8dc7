import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Host, Run } from "@/api/generated";
import { formatZonedTime } from "@/components/format";
import { describePause } from "@/components/hostPause";
import { Note } from "@/components/Status";
import { messages } from "@/messages";

const t = messages("waits");

/** Why the trials of a run wait: the worker of its host or of its client host is unavailable, or the host starts none now. */
export function HostNote({ run }: { run: Run }) {
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 30_000 });
  const found = hosts.data?.filter(({ name }) => name === run.host || name === run.client_host) ?? [];
  return found.map((host) => <OfHost key={host.id} host={host} />);
}

function OfHost({ host }: { host: Host }) {
  const paused = describePause(host);
  return (
    <>
      {!host.online && <Note tone="warn">{t("hostAway", { host: host.name, time: formatZonedTime(host.last_seen_at) })}</Note>}
      {paused && <Note tone="warn">{t("hostPaused", { reason: paused })}</Note>}
    </>
  );
}
