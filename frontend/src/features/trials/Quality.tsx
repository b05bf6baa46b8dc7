import type { TrialRecord } from "@/api/generated";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatDuration, formatNumber, formatPercent } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./TrialPage.module.css";

const t = messages("trials");

type Quality = NonNullable<TrialRecord["quality"]>;
type Readings = NonNullable<Quality["readings"]>;

/** The reasons why a trial is excluded: violated bounds, and host noise. */
export function Exclusion({ quality }: { quality: Quality }) {
  const { invalid = [], contaminated = [] } = quality;
  return (
    <>
      {invalid.length > 0 && <Reasons tone="bad" title={t("notValid")} all={invalid} />}
      {contaminated.length > 0 && <Reasons tone="warn" title={t("contaminated")} all={contaminated} />}
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
  const { readings, takes: measurements = 1, discarded = [], waited_seconds: waited = 0, not_quiet: noisy = [], quiet_cores: level } = quality;
  if (!readings && measurements === 1 && waited === 0) return null;
  return (
    <Card title={t("hostNoise")} note={t("hostNoiseNote")}>
      <Facts
        facts={[
          [t("measurements"), t("measurementsCount", { count: measurements })],
          [t("quietWait"), waited > 0 ? formatDuration(waited) : t("none")],
          ...(noisy.length > 0 ? [[t("noiseAfterWait"), noisy.join("; ")] as const] : []),
          ...(readings ? factsOf(readings) : []),
          ...(level ? [[t("quietLevel"), t("coresOf", { number: formatNumber(level, 2) })] as const] : []),
        ]}
      />
      {discarded.length > 0 && (
        <ol className={styles.discarded} aria-label={t("discarded")}>
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
    ...fact(t("otherProcesses"), readings.other_cores, (cores) => t("coresOf", { number: formatNumber(cores, 2) })),
    ...fact(t("steal"), readings.steal, formatPercent),
    ...fact(t("pressure"), readings.pressure, formatPercent),
    ...fact(t("frequencyChange"), readings.frequency_change, formatPercent),
    ...fact(t("throttling"), readings.throttles, (events) => t("events", { count: events })),
  ];
}
