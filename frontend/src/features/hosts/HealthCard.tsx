import type { Host } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatAgo, formatBytes, formatNumber, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { hostState, RELEASES } from "@/components/stateLabels";
import { useNow } from "@/components/useNow";
import { messages } from "@/messages";

const t = messages("hosts");

/** Worker, release, disk and clock of a host. */
export function HealthCard({ host }: { host: Host }) {
  const now = useNow();
  const facts: (readonly [string, React.ReactNode])[] = [
    [t("worker"), <State key="state" label={hostState(host)} />],
    [t("lastSeen"), <span key="seen" title={formatTime(host.last_seen_at)}>{formatAgo(host.last_seen_at, now)}</span>],
    [t("release"), <Release key="release" release={host.release} />],
    ...(host.release?.update ? ([[t("update"), host.release.update]] as const) : []),
    [t("disk"), diskOf(host.disk)],
    [t("clock"), clockOf(host.clock)],
  ];
  return (
    <Card title={t("health")} note={t("healthNote")}>
      <Facts facts={facts} />
    </Card>
  );
}

function Release({ release }: { release: Host["release"] }) {
  if (!release || release.state === "not_reported") return <>{t("releaseNotReported")}</>;
  const compared = `${RELEASES[release.state].word}${release.state === "same" ? "" : ` ${release.server}`}`;
  const id = release.served === false ? "releaseRefused" : "releaseCompared";
  return <State label={RELEASES[release.state]}>{t(id, { release: release.worker ?? "", compared })}</State>;
}

function diskOf(disk: Host["disk"]): string {
  if (disk?.free_bytes == null) return t("notReported");
  return disk.total_bytes == null ? t("bytesFree", { free: formatBytes(disk.free_bytes) }) : t("bytesFreeOf", { free: formatBytes(disk.free_bytes), total: formatBytes(disk.total_bytes) });
}

/** The difference of the clocks, in milliseconds; positive where the server's is ahead. */
function clockOf(clock: Host["clock"]): string {
  if (clock?.offset_s == null) return t("notMeasuredShort");
  const uncertainty = clock.uncertainty_s == null ? "" : ` ± ${formatNumber(clock.uncertainty_s * 1000)}`;
  return t(clock.offset_s > 0 ? "clockBehind" : "clockAhead", { offset: `${formatNumber(Math.abs(clock.offset_s) * 1000)}${uncertainty}` });
}
