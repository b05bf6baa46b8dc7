import type { TrialRecord } from "@/api/types";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import { cpuRows } from "./cpuRows";

/** CPU by role, adding up to what the host was busy. */
export function CpuTable({ record }: { record: TrialRecord }) {
  return (
    <Card title="CPU by role" note="The roles and what is unattributed add up to host busy" flush>
      <TableScroll label="CPU by role">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col" className={table.num}>Core-seconds</th>
              <th scope="col" className={table.num}>Cores</th>
              <th scope="col" className={table.num}>µs per transaction</th>
              <th scope="col">Counter</th>
            </tr>
          </thead>
          <tbody>
            {cpuRows(record).map((row) => (
              <tr key={row.name} className={row.total ? table.total : undefined}>
                <th scope="row">{row.name}</th>
                <td className={table.num}>{formatNumber(row.coreSeconds, 3)}</td>
                <td className={table.num}>{formatNumber(row.cores, 3)}</td>
                <td className={table.num}>{formatNumber(row.usPerTxn, 1)}</td>
                <td className={table.mono}>{row.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}
