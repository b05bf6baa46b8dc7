import type { ChartCell } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { Meter } from "@/components/Meter";
import { roleColor } from "@/theme/palette";
import styles from "./CellProcesses.module.css";

type Process = ChartCell["processes"][number];

/** CPU of each process between client and server, by worker: shows an uneven load. */
export function CellProcesses({ cell, cores }: { cell: ChartCell; cores: number | null }) {
  const processes = [...cell.processes].sort((a, b) => a.name.localeCompare(b.name) || a.rank - b.rank);
  if (processes.length === 0) return null;
  const most = Math.max(1, ...processes.map((each) => each.cores));
  const alone = (each: Process) => processes.filter((other) => other.name === each.name).length === 1;
  return (
    <Card
      title="Proxy by process"
      note={`Cores, medians over the trials by rank: the busiest process of each trial is first. A full bar is ${most > 1 ? `${formatNumber(most, 2)} cores` : "one core"}${cores === null ? "" : ` of the host’s ${formatNumber(cores)}`}`}
    >
      <ul className={styles.processes}>
        {processes.map((each) => (
          <li key={`${each.name} ${each.thread} ${each.rank}`}>
            <span className={styles.name}>
              {each.name}
              {each.thread && " thread"}
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
