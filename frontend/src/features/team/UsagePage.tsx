import { useQuery } from "@tanstack/react-query";
import { getUsage, type QuotaUse } from "@/api/generated";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Meter } from "@/components/Meter";
import { Note, QueryStatus } from "@/components/Status";
import table from "@/components/table.module.css";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { amountOf, quotas, shareOf, toneOf } from "./quotaText";
import { LargestRuns } from "./LargestRuns";
import { RetentionCard } from "./RetentionCard";
import { TeamHead } from "./TeamHead";
import styles from "./Usage.module.css";

const t = messages("team");

const POLL_MS = 15_000;
const columns = () => [[t("quota")], [t("used"), "num"], [t("limit"), "num"], [<span key="share" className="visually-hidden">{t("shareHead")}</span>]] as const;

/** The quotas of the team with their present use, and how long its runs are kept. */
export function UsagePage() {
  useTitle(t("usage"));
  const usage = useQuery({ queryKey: ["usage"], queryFn: async () => (await getUsage()).data, refetchInterval: POLL_MS });
  const stored = usage.data?.find(({ quota }) => quota === "stored_bytes");
  return (
    <>
      <TeamHead page="usage" meta={t("usageMeta")} />
      <Card title={t("quotas")} note={t("quotasNote")} flush>
        <QueryStatus query={usage} label={t("loadingQuotas")} />
        {stored && stored.level !== "ok" && (
          <Note tone={stored.level === "reached" ? "bad" : "warn"}>
            {t(stored.level === "reached" ? "storageReached" : "storageNear")}
          </Note>
        )}
        {usage.data && (
          <DataTable label={t("quotas")} columns={columns()}>
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
  const { label, about } = quotas()[quota] ?? { label: quota, about: "" };
  return (
    <tr>
      <th scope="row">
        {label}
        <small className={styles.about}>{about}</small>
      </th>
      <td data-label={t("used")} className={table.num}>{used === null ? t("eachPlan") : amountOf(unit, used)}</td>
      <td data-label={t("limit")} className={table.num}>{amountOf(unit, limit)}</td>
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
