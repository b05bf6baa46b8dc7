import { Fragment } from "react";
import type { ProcessCpu } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber, plural } from "@/components/format";
import { Meter } from "@/components/Meter";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { processGroups, type ProcessGroup, type ProcessRow } from "@/charts/processRows";
import { roleColor } from "@/theme/palette";
import styles from "./TrialPage.module.css";

/** CPU of each process and thread: shows an uneven load of workers. */
export function ProcessTable({ processes, seconds }: { processes: readonly ProcessCpu[]; seconds: number }) {
  if (processes.length === 0) return null;
  const groups = processGroups(processes, seconds);
  const most = groups.reduce((max, group) => Math.max(max, ...group.rows.filter((row) => row.process).map((row) => row.cores)), 0);
  return (
    <Card title="Processes" note="CPU in the measured window; bars are relative to the busiest process" flush>
      <TableScroll label="Processes" folding>
        <table className={`${table.table} ${table.fold} ${table.tiles}`}>
          <thead>
            <tr>
              <th scope="col">Process</th>
              <th scope="col">Role</th>
              <th scope="col" className={table.num}>pid</th>
              <th scope="col" className={table.num}>Core-seconds</th>
              <th scope="col" className={table.num}>Cores</th>
              <th scope="col" className={styles.bars}><span className="visually-hidden">Bar</span></th>
              <th scope="col" className={table.num}>Context switches</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <Fragment key={`${group.role} ${group.name}`}>
                {group.count > 1 && <Sum group={group} />}
                {group.rows.map((row) => (
                  <Line key={row.key} row={row} group={group} most={most} />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}

/** The sum of the processes of one name. */
function Sum({ group }: { group: ProcessGroup }) {
  return (
    <tr className={styles.sum}>
      <th scope="row">
        {group.name} <span className={table.quiet}>× {formatNumber(group.count)}</span>
      </th>
      <td data-label="role">{group.role}</td>
      <td />
      <td />
      <td data-label="cores" className={table.num}>{formatNumber(group.cores, 3)}</td>
      <td className={table.quiet}>sum</td>
      <td />
    </tr>
  );
}

function Line({ row, group, most }: { row: ProcessRow; group: ProcessGroup; most: number }) {
  const one = group.count === 1;
  const thread = row.process?.thread ?? null;
  return (
    <tr>
      <th scope="row" className={one ? undefined : styles.member} title={row.process === null ? plural(group.count, "process", "processes") : undefined}>
        {thread === null ? row.name : `${row.name}, thread ${thread}`}
      </th>
      <td data-label="role">{one ? group.role : ""}</td>
      <td data-label="pid" className={table.num}>{row.process?.pid ?? ""}</td>
      <td data-label="core-seconds" className={table.num}>{formatNumber(row.seconds, 3)}</td>
      <td data-label="cores" className={table.num}>{formatNumber(row.cores, 3)}</td>
      <td data-wide className={styles.bars}>{row.process && <Meter value={row.cores} most={most} color={roleColor(group.role)} />}</td>
      <td data-label="context switches" className={table.num}>{formatNumber(row.switches)}</td>
    </tr>
  );
}
