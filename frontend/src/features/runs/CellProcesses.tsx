import type { ChartCell } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { Meter } from "@/components/Meter";
import { roleColor } from "@/theme/palette";
import { messages } from "@/messages";
import styles from "./CellProcesses.module.css";

const t = messages("runs");

type Process = ChartCell["processes"][number];

/** CPU of each process between client and server, by worker: shows an uneven load. */
export function CellProcesses({ cell, cores }: { cell: ChartCell; cores: number | null }) {
  const processes = [...cell.processes].sort((a, b) => a.name.localeCompare(b.name) || a.rank - b.rank);
  if (processes.length === 0) return null;
  const most = Math.max(1, ...processes.map((each) => each.cores));
  const alone = (each: Process) => processes.filter((other) => other.name === each.name).length === 1;
  return (
    <Card
      title={t("proxyTitle")}
      note={cores === null ? t("proxyNote", { bar: formatNumber(most, most > 1 ? 2 : 0) }) : t("proxyNoteOf", { bar: formatNumber(most, most > 1 ? 2 : 0), cores: formatNumber(cores) })}
    >
      <ul className={styles.processes}>
        {processes.map((each) => (
          <li key={`${each.name} ${each.thread} ${each.rank}`}>
            <span className={styles.name}>
              {each.thread ? t("threadName", { name: each.name }) : each.name}
              {!alone(each) && <span className={styles.role}> #{each.rank}</span>}
            </span>
            <Meter value={each.cores} most={most} color={roleColor(each.role)} />
            <span className={styles.cores}>{formatNumber(each.cores, 3)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
