import { Fragment, useState } from "react";
import type { ProcessCpu } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { Meter } from "@/components/Meter";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { processGroups, type ProcessGroup, type ProcessRow } from "@/charts/processRows";
import { roleColor } from "@/theme/palette";
import { messages } from "@/messages";
import styles from "./TrialPage.module.css";

const t = messages("trials");

/** CPU of each process and thread: shows an uneven load of workers. */
export function ProcessTable({ processes, seconds }: { processes: readonly ProcessCpu[]; seconds: number }) {
  const [each, setEach] = useState(false);
  if (processes.length === 0) return null;
  const groups = processGroups(processes, seconds);
  const most = groups.reduce((max, group) => Math.max(max, ...group.rows.filter((row) => row.process).map((row) => row.cores)), 0);
  return (
    <Card
      title={t("processes")}
      note={t("processesNote")}
      actions={
        groups.some(({ count }) => count > 1) && (
          <Button kind="ghost" onClick={() => setEach(!each)} aria-expanded={each}>
            {each ? t("sumsOnly") : t("eachProcess")}
          </Button>
        )
      }
      flush
    >
      <TableScroll label={t("processes")} folding>
        <table className={`${table.table} ${table.fold} ${table.tiles}`}>
          <thead>
            <tr>
              <th scope="col">{t("process")}</th>
              <th scope="col">{t("role")}</th>
              <th scope="col" className={table.num}>{t("pid")}</th>
              <th scope="col" className={table.num}>{t("coreSeconds")}</th>
              <th scope="col" className={table.num}>{t("coresTitle")}</th>
              <th scope="col" className={styles.bars}><span className="visually-hidden">{t("bar")}</span></th>
              <th scope="col" className={table.num}>{t("contextSwitches")}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <Fragment key={`${group.role} ${group.name}`}>
                {group.count > 1 && <Sum group={group} />}
                {(each || group.count === 1) && group.rows.map((row) => (
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
      <td data-label={t("role")}>{group.role}</td>
      <td />
      <td />
      <td data-label={t("coresTitle")} className={table.num}>{formatNumber(group.cores, 3)}</td>
      <td className={table.quiet}>{t("sum")}</td>
      <td />
    </tr>
  );
}

function Line({ row, group, most }: { row: ProcessRow; group: ProcessGroup; most: number }) {
  const one = group.count === 1;
  const thread = row.process?.thread ?? null;
  return (
    <tr>
      <th scope="row" className={one ? undefined : styles.member} title={row.process === null ? t("processCount", { count: group.count }) : undefined}>
        {thread === null ? row.name : t("threadOf", { name: row.name, thread })}
      </th>
      <td data-label={t("role")}>{one ? group.role : ""}</td>
      <td data-label={t("pid")} className={table.num}>{row.process?.pid ?? ""}</td>
      <td data-label={t("coreSeconds")} className={table.num}>{formatNumber(row.seconds, 3)}</td>
      <td data-label={t("coresTitle")} className={table.num}>{formatNumber(row.cores, 3)}</td>
      <td data-wide className={styles.bars}>{row.process && <Meter value={row.cores} most={most} color={roleColor(group.role)} />}</td>
      <td data-label={t("contextSwitches")} className={table.num}>{formatNumber(row.switches)}</td>
    </tr>
  );
}
