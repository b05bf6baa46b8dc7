import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Run } from "@/api/generated";
import { formatTime } from "@/components/format";
import { Note } from "@/components/Status";

/** A note while the worker of the run's host is unavailable. */
export function HostNote({ run }: { run: Run }) {
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 30_000 });
  const host = hosts.data?.find((each) => each.name === run.host);
  if (!host || host.online) return null;
  return <Note tone="warn">The worker on {host.name} is unavailable since {formatTime(host.last_seen_at)}. The run continues when it is back; recorded trials are kept.</Note>;
}
