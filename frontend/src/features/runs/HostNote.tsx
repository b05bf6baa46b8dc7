import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Run } from "@/api/generated";
import { Note } from "@/components/Status";

/** Says so when nothing moves because the host's worker is away. */
export function HostNote({ run }: { run: Run }) {
  const hosts = useQuery({ ...queries.hosts(), refetchInterval: 30_000 });
  const host = hosts.data?.find((each) => each.name === run.host);
  if (!host || host.online) return null;
  return <Note tone="warn">The worker on {host.name} does not answer. The run goes on by itself when it is back; nothing measured is lost.</Note>;
}
