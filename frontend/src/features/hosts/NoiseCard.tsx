import type { HostNoise } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Facts } from "@/components/Facts";
import { formatNumber, formatPercent, formatTime } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import styles from "./HostPage.module.css";

const t = messages("hosts");

/** How noisy a host is: the spread of its A/A pairs, and what its trials took to get a quiet host. */
export function NoiseCard({ noise }: { noise: HostNoise }) {
  const { score, loads } = noise;
  return (
    <Card title={t("noise")} note={noise.until ? t("noiseUntil", { at: formatTime(noise.until) }) : t("noiseOwn")}>
      <p className={styles.score}>{score.sentence}</p>
      {loads.length > 0 && (
        <DataTable label={t("spreadByLoad")} columns={[[t("load")], [t("spread"), "num"], [t("interval95"), "num"], [t("pairs"), "num"], [t("runs"), "num"]]} tiles>
          {loads.map((load) => (
            <tr key={`${load.tool} ${load.service}`}>
              <th scope="row">
                {t("loadOn", { tool: load.tool, service: load.service })} <span className={table.quiet}>({load.metric})</span>
              </th>
              <td data-label={t("spread")} className={table.num}>{load.spread === null ? t("tooFew") : formatPercent(load.spread)}</td>
              <td data-label={t("interval95")} className={table.num}>{percents(load.interval)}</td>
              <td data-label={t("pairs")} className={table.num}>{formatNumber(load.pairs)}</td>
              <td data-label={t("runs")} className={table.num}>{formatNumber(load.runs)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {noise.repeated.n > 0 && <Facts facts={factsOf(noise)} />}
    </Card>
  );
}

function factsOf({ repeated, contaminated, gave_up, waited_s, steal }: HostNoise): (readonly [string, string])[] {
  const share = ({ count, n, interval }: typeof repeated) => interval ? t("shareInterval", { count: formatNumber(count), of: formatNumber(n), interval: percents(interval) }) : t("share", { count: formatNumber(count), of: formatNumber(n) });
  return [
    [t("repeated"), share(repeated)],
    [t("contaminated"), share(contaminated)],
    [t("gaveUp"), share(gave_up)],
    [t("quietWait"), waited_s ? t("ofTrials", { value: `${formatNumber(waited_s.median, 2)} s`, count: waited_s.n }) : t("notRecorded")],
    [t("steal"), steal ? t("ofTrials", { value: formatPercent(steal.median), count: steal.n }) : t("notRecorded")],
  ];
}

function percents(interval: { low: number; high: number } | null): string {
  return interval ? t("rangeTo", { low: formatPercent(interval.low), high: formatPercent(interval.high) }) : "–";
}
