import { useInfiniteQuery } from "@tanstack/react-query";
import { listAudit, type AuditLine, type ListAuditData } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Empty, QueryStatus } from "@/components/Status";
import { useAddress } from "@/components/useAddress";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { AdminsOnly } from "./AdminsOnly";
import { AuditFilter } from "./AuditFilter";
import { AuditTable } from "./AuditTable";
import { zoneName } from "./auditText";
import { TeamHead } from "./TeamHead";

const t = messages("team");

const NAMES = ["action", "outcome", "account_id", "since", "until"] as const;

/** The audit log of the team, with filters that are in the address. */
export function AuditPage() {
  useTitle(t("audit"));
  const [address, change] = useAddress();
  const isAdmin = useMay("admin");
  const wanted = Object.fromEntries(NAMES.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : []))) as NonNullable<ListAuditData["query"]>;
  const log = useInfiniteQuery({
    queryKey: ["audit", wanted],
    queryFn: ({ pageParam }) => listAudit({ query: { limit: 100, ...wanted, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: isAdmin,
  });
  const lines: AuditLine[] = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.keys(wanted).length > 0;
  return (
    <>
      <TeamHead page="audit" meta={t("auditMeta", { zone: zoneName() })} />
      <AdminsOnly what={t("readAudit")}>
        <AuditFilter address={address} onChange={change} seen={lines} />
        <Card flush={lines.length > 0}>
          <QueryStatus query={log} label={t("loadingAudit")} />
          {log.data && lines.length === 0 && (
            <Empty level={2} title={isFiltered ? t("noEntryMatches") : t("noEntries")}>
              {isFiltered && <Button onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, null])))}>{t("showAll")}</Button>}
            </Empty>
          )}
          {lines.length > 0 && <AuditTable lines={lines} />}
        </Card>
        {log.hasNextPage && (
          <div>
            <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              {t("older")}
            </Button>
          </div>
        )}
      </AdminsOnly>
    </>
  );
}
