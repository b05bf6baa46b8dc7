import type { ChartModel } from "@/api/generated";
import { formatNumber } from "@/components/format";
import { State } from "@/components/State";
import table from "@/components/table.module.css";
import { ROLES, UNUSED } from "@/theme/palette";
import { messages } from "@/messages";
import { roleName } from "./roleNames";
import { roleLayout } from "./roleLayout";

const t = messages("charts");

/** A table of CPU by role of every cell, in both units. */
export function RoleTable({ model }: { model: ChartModel }) {
  const cores = roleLayout(model, "cores");
  const cost = roleLayout(model, "us_per_txn");
  const roles = ROLES.filter(({ role }) => cores.roles.includes(role) || cost.roles.includes(role));
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">{t("roleTableCaption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("cell")}</th>
          {roles.map(({ role }) => (
            <th key={role} scope="col" className={table.num}>{roleName(role)}</th>
          ))}
          <th scope="col" className={table.num}>{t("used")}</th>
        </tr>
      </thead>
      <tbody>
        {cores.bars.map((bar, index) => (
          <tr key={bar.id}>
            <th scope="row">{bar.cell.label}</th>
            {bar.total === null ? (
              <td colSpan={roles.length + 1}>
                <State label={bar.state} />
              </td>
            ) : (
              <>
                {roles.map(({ role }) => (
                  <td key={role} data-label={roleName(role)} className={table.num}>
                    <CoresAndCost cores={bar.values[role]} cost={UNUSED.has(role) ? null : cost.bars[index]?.values[role]} />
                  </td>
                ))}
                <td data-label={t("used")} className={table.num}>
                  <CoresAndCost cores={bar.total} cost={cost.bars[index]?.total} />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Cores, with the cost per operation below. */
function CoresAndCost({ cores, cost }: { cores: number | null | undefined; cost: number | null | undefined }) {
  return (
    <span>
      {formatNumber(cores, 3)} <span className={table.quiet}>{t("coresLow")}</span>
      {cost !== null && (
        <>
          <br />
          {formatNumber(cost, 1)} <span className={table.quiet}>µs</span>
        </>
      )}
    </span>
  );
}
