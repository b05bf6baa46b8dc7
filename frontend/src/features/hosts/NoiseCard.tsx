import type { HostNoise } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Facts } from "@/components/Facts";
import { formatNumber, formatPercent, formatTime } from "@/components/format";
import table from "@/components/table.module.css";
import styles from "./HostPage.module.css";

/** How noisy a host is: the spread of its A/A pairs, and what its trials took to get a quiet host. */
export function NoiseCard({ noise }: { noise: HostNoise }) {
  const { score, loads } = noise;
  return (
    <Card title="Noise" note={noise.until ? `From the newest runs until ${formatTime(noise.until)}; compare hosts under the same load only` : "From this host’s own runs"}>
      <p className={styles.score}>{score.sentence}</p>
      {loads.length > 0 && (
        <DataTable label="Spread by load" columns={[["Load"], ["Spread", "num"], ["95 % interval", "num"], ["Pairs", "num"], ["Runs", "num"]]} tiles>
          {loads.map((load) => (
            <tr key={`${load.tool} ${load.service}`}>
              <th scope="row">
                {load.tool} on {load.service} <span className={table.quiet}>({load.metric})</span>
              </th>
              <td data-label="Spread" className={table.num}>{load.spread === null ? "too few" : formatPercent(load.spread)}</td>
              <td data-label="95 % interval" className={table.num}>{percents(load.interval)}</td>
              <td data-label="Pairs" className={table.num}>{formatNumber(load.pairs)}</td>
              <td data-label="Runs" className={table.num}>{formatNumber(load.runs)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {noise.repeated.n > 0 && <Facts facts={factsOf(noise)} />}
    </Card>
  );
}

function factsOf({ repeated, contaminated, gave_up, waited_s, steal }: HostNoise): (readonly [string, string])[] {
  const share = ({ count, n, interval }: typeof repeated) => `${formatNumber(count)} of ${formatNumber(n)}${interval ? ` (95 %: ${percents(interval)})` : ""}`;
  return [
    ["Trials measured more than once", share(repeated)],
    ["Trials that stayed contaminated", share(contaminated)],
    ["Trials that found no quiet host in time", share(gave_up)],
    ["Wait for a quiet host, median", waited_s ? `${formatNumber(waited_s.median, 2)} s of ${formatNumber(waited_s.n)} trials` : "not recorded"],
    ["Steal in the window, median", steal ? `${formatPercent(steal.median)} of ${formatNumber(steal.n)} trials` : "not recorded"],
  ];
}

function percents(interval: { low: number; high: number } | null): string {
  return interval ? `${formatPercent(interval.low)} to ${formatPercent(interval.high)}` : "–";
}
