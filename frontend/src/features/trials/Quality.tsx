import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber, formatPercent, plural, humanize } from "@/components/format";
import { Note } from "@/components/Status";
import styles from "./TrialPage.module.css";

type Quality = NonNullable<TrialRecord["quality"]>;
type Readings = NonNullable<Quality["readings"]>;

/** Why this trial is excluded: the bounds that it violates, and the noise of the host. */
export function LeftOut({ quality }: { quality: Quality }) {
  const { invalid = [], contaminated = [] } = quality;
  return (
    <>
      {invalid.length > 0 && <Reasons tone="bad" title="Not valid, excluded from all statistics: its figures violate physical bounds." all={invalid} />}
      {contaminated.length > 0 && <Reasons tone="warn" title="Contaminated, excluded from all statistics: noise of the host exceeded the limits of the experiment." all={contaminated} />}
    </>
  );
}

function Reasons({ tone, title, all }: { tone: "warn" | "bad"; title: string; all: readonly string[] }) {
  return (
    <Note tone={tone}>
      <strong>{title}</strong>
      {all.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Note>
  );
}

/** Readings outside of client, server and proxy, and the measurements that were discarded. */
export function QualityCard({ quality }: { quality: Quality }) {
  const { readings, takes = 1, discarded = [], waited_seconds: waited = 0, not_quiet: noisy = [] } = quality;
  if (!readings && takes === 1 && waited === 0) return null;
  return (
    <Card title="How quiet the host was" note="Read outside of client, server and proxy, during the recorded measurement">
      <Facts
        facts={[
          ["measurements", takes === 1 ? "1, recorded" : `${formatNumber(takes)}, the last one recorded`],
          ["waited for a quiet host", waited > 0 ? formatDuration(waited) : "not at all"],
          ...(noisy.length > 0 ? [["the wait ended with", noisy.join("; ")] as const] : []),
          ...(readings ? factsOf(readings) : []),
        ]}
      />
      {discarded.length > 0 && (
        <ol className={styles.discarded} aria-label="Discarded measurements">
          {discarded.map((take, index) => (
            <li key={index}>{take.reasons.join("; ")}</li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function factsOf(readings: Readings): (readonly [string, string])[] {
  const fact = (name: string, value: number | null | undefined, text: (value: number) => string) => (value == null ? [] : [[name, text(value)] as const]);
  return [
    ...fact("other processes", readings.other_cores, (cores) => `${formatNumber(cores, 2)} cores`),
    ...fact("steal", readings.steal, formatPercent),
    ...fact("waiting for a CPU (pressure)", readings.pressure, formatPercent),
    ...fact("change of the CPU frequency", readings.frequency_change, formatPercent),
    ...fact(humanize("thermal_throttling"), readings.throttles, (events) => plural(events, "event")),
  ];
}
