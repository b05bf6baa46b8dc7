import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber, formatPercent, plural, humanize } from "@/components/format";
import { Note } from "@/components/Status";
import styles from "./TrialPage.module.css";

type Quality = NonNullable<TrialRecord["quality"]>;
type Readings = NonNullable<Quality["readings"]>;

/** The reasons why a trial is excluded: violated bounds, and host noise. */
export function Exclusion({ quality }: { quality: Quality }) {
  const { invalid = [], contaminated = [] } = quality;
  return (
    <>
      {invalid.length > 0 && <Reasons tone="bad" title="Not valid, excluded from all statistics: its figures violate physical bounds." all={invalid} />}
      {contaminated.length > 0 && <Reasons tone="warn" title="Contaminated, excluded from all statistics: host noise exceeded the limits of the experiment." all={contaminated} />}
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

/** Host noise of a trial: readings outside of client, server and proxy, and discarded measurements. */
export function QualityCard({ quality }: { quality: Quality }) {
  const { readings, takes: measurements = 1, discarded = [], waited_seconds: waited = 0, not_quiet: noisy = [] } = quality;
  if (!readings && measurements === 1 && waited === 0) return null;
  return (
    <Card title="Host noise" note="Activity outside of client, server and proxy during the recorded measurement">
      <Facts
        facts={[
          ["measurements", measurements === 1 ? "1, recorded" : `${formatNumber(measurements)}, the last one recorded`],
          ["wait for a quiet host", waited > 0 ? formatDuration(waited) : "none"],
          ...(noisy.length > 0 ? [["noise at the end of the wait", noisy.join("; ")] as const] : []),
          ...(readings ? factsOf(readings) : []),
        ]}
      />
      {discarded.length > 0 && (
        <ol className={styles.discarded} aria-label="Discarded measurements">
          {discarded.map((measurement, index) => (
            <li key={index}>{measurement.reasons.join("; ")}</li>
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
