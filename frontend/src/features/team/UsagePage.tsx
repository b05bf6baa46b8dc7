import { useQuery } from "@tanstack/react-query";
import { getUsage, type QuotaUse } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Meter } from "@/components/Meter";
import { Note, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useTitle } from "@/components/useTitle";
import { amountOf, QUOTAS, shareOf, toneOf } from "./quotaText";
import { LargestRuns } from "./LargestRuns";
import { RetentionCard } from "./RetentionCard";
import { TeamHead } from "./TeamHead";
import styles from "./Usage.module.css";

const POLL_MS = 15_000;
const COLUMNS = [["Quota"], ["Used", "num"], ["Limit", "num"], [<span key="share" className="visually-hidden">Share</span>]] as const;

/** The quotas of the team with their present use, and how long its runs are kept. */
export function UsagePage() {
  useTitle("Usage");
  const usage = useQuery({ queryKey: ["usage"], queryFn: async () => (await getUsage()).data, refetchInterval: POLL_MS });
  const stored = usage.data?.find(({ quota }) => quota === "stored_bytes");
  return (
    <>
      <TeamHead page="Usage" meta="What the team uses of its quotas. Whoever operates this server sets them." />
      <Card title="Quotas" note="A request that does not fit is refused, with the limit and what to do" flush>
        <QueryStatus query={usage} label="Loading the quotas" />
        {stored && stored.level !== "ok" && (
          <Note tone={stored.level === "reached" ? "bad" : "warn"}>
            {stored.level === "reached" ? "No run can be started until something is deleted." : "The storage is nearly used: at its limit no run can be started."} Running ones end well.
          </Note>
        )}
        {usage.data && (
          <DataTable label="Quotas" columns={COLUMNS}>
            {usage.data.map((each) => (
              <QuotaRow key={each.quota} {...each} />
            ))}
          </DataTable>
        )}
      </Card>
      <LargestRuns />
      <RetentionCard />
    </>
  );
}

function QuotaRow({ quota, used, limit, unit }: QuotaUse) {
  const { label, about } = QUOTAS[quota] ?? { label: quota, about: "" };
  return (
    <tr>
      <th scope="row">
        {label}
        <small className={styles.about}>{about}</small>
      </th>
      <td data-label="Used" className={table.num}>{used === null ? "each plan" : amountOf(unit, used)}</td>
      <td data-label="Limit" className={table.num}>{amountOf(unit, limit)}</td>
      <td className={styles.share}>
        {used !== null && (
          <>
            <Meter value={used} most={limit} color={`var(--${toneOf(used, limit)})`} />
            <span>{shareOf(used, limit)}</span>
          </>
        )}
      </td>
    </tr>
  );
}
