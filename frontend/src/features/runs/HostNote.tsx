import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Host, Run } from "@/api/generated";
import { formatTime } from "@/components/format";
import { describePause } from "@/components/hostPause";
import { Note } from "@/components/Status";

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
      {!host.online && <Note tone="warn">The worker on {host.name} is unavailable since {formatTime(host.last_seen_at)}. The run continues when it is back; recorded trials are kept.</Note>}
      {paused && <Note tone="warn">{paused} The trials of this run wait until then; recorded ones are kept.</Note>}
    </>
  );
}
