import type { Host } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatAgo, formatBytes, formatNumber, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { hostState, RELEASES } from "@/components/stateLabels";
import { useNow } from "@/components/useNow";

/** Worker, release, disk and clock of a host. */
export function HealthCard({ host }: { host: Host }) {
  const now = useNow();
  const facts: (readonly [string, React.ReactNode])[] = [
    ["Worker", <State key="state" label={hostState(host)} />],
    ["Last seen", <span key="seen" title={formatTime(host.last_seen_at)}>{formatAgo(host.last_seen_at, now)}</span>],
    ["Release", <Release key="release" release={host.release} />],
    ...(host.release?.update ? ([["Update", host.release.update]] as const) : []),
    ["Disk", diskOf(host.disk)],
    ["Clock", clockOf(host.clock)],
  ];
  return (
    <Card title="Health" note="As the worker reported it last">
      <Facts facts={facts} />
    </Card>
  );
}

function Release({ release }: { release: Host["release"] }) {
  if (!release || release.state === "not_reported") return <>not reported: the worker runs beside the server</>;
  const compared = `${RELEASES[release.state].word}${release.state === "same" ? "" : ` ${release.server}`}`;
  const refused = release.served === false ? "; refused: the server no longer speaks its protocol" : "";
  return <State label={RELEASES[release.state]}>{`${release.worker} (${compared}${refused})`}</State>;
}

function diskOf(disk: Host["disk"]): string {
  if (disk?.free_bytes == null) return "not reported";
  return `${formatBytes(disk.free_bytes)} free${disk.total_bytes == null ? "" : ` of ${formatBytes(disk.total_bytes)}`}`;
}

/** The difference of the clocks, in milliseconds; positive where the server's is ahead. */
function clockOf(clock: Host["clock"]): string {
  if (clock?.offset_s == null) return "not measured";
  const uncertainty = clock.uncertainty_s == null ? "" : ` ± ${formatNumber(clock.uncertainty_s * 1000)}`;
  return `${formatNumber(Math.abs(clock.offset_s) * 1000)}${uncertainty} ms ${clock.offset_s > 0 ? "behind" : "ahead of"} the server’s; no figure depends on it`;
}
