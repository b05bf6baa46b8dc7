import { useInfiniteQuery } from "@tanstack/react-query";
import { listInstallationAudit, type InstallationAuditLine, type ListInstallationAuditData } from "@/api/generated";
import { actionName } from "@/components/actionName";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { Field } from "@/components/Field";
import { formatZonedTime } from "@/components/format";
import { State } from "@/components/State";
import type { StateLabel } from "@/components/stateLabels";
import { Empty, QueryStatus } from "@/components/Status";
import { useAddress } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./Administration.module.css";
import { AdministrationPage } from "./AdministrationPage";
import { useAdministers, useTeams } from "./usePages";

const t = messages("administration");

const columns = () => [[t("time")], [t("action")], [t("account")], [t("team")], [t("object")], [t("outcome")], [t("from")]] as const;
const NAMES = ["team_id", "outcome"] as const;
const OUTCOMES = ["done", "refused", "failed"] as const;

/** The audit log of all teams and of the installation itself. */
export function InstallationAuditPage() {
  useTitle(t("titleAudit"));
  const [address, change] = useAddress();
  const isEnabled = useAdministers();
  const wanted = Object.fromEntries(NAMES.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : []))) as NonNullable<ListInstallationAuditData["query"]>;
  const log = useInfiniteQuery({
    queryKey: ["administration", "audit", wanted],
    queryFn: ({ pageParam }) => listInstallationAudit({ query: { limit: 100, ...wanted, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: isEnabled,
  });
  const teams = useTeams("").data?.pages.flatMap(({ data }) => data) ?? [];
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const lines = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const set = (name: string) => (event: React.ChangeEvent<HTMLSelectElement>) => change({ [name]: event.target.value || null });
  return (
    <AdministrationPage page="audit" meta={t("auditMeta")}>
      <Card>
        <div className={styles.form} role="search" aria-label={t("auditEntries")}>
          <Field label={t("team")} errors={[]}>
            {(ids) => (
              <select {...ids} value={address.get("team_id") ?? ""} onChange={set("team_id")}>
                <option value="">{t("everyTeam")}</option>
                {teams.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            )}
          </Field>
          <Field label={t("outcome")} errors={[]}>
            {(ids) => (
              <select {...ids} value={address.get("outcome") ?? ""} onChange={set("outcome")}>
                <option value="">{t("everyOutcome")}</option>
                {OUTCOMES.map((each) => <option key={each} value={each}>{t(each)}</option>)}
              </select>
            )}
          </Field>
        </div>
      </Card>
      <Card flush={lines.length > 0}>
        <QueryStatus query={log} label={t("loadingAudit")} />
        {log.data && lines.length === 0 && <Empty level={2} title={t("noEntry")} />}
        {lines.length > 0 && (
          <DataTable label={t("audit")} columns={columns()}>
            {lines.map((line) => <AuditRow key={line.id} line={line} team={line.team_id === null ? "" : names.get(line.team_id) ?? line.team_id} />)}
          </DataTable>
        )}
      </Card>
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t("older")}
          </Button>
        </div>
      )}
    </AdministrationPage>
  );
}

function AuditRow({ line, team }: { line: InstallationAuditLine; team: string }) {
  return (
    <tr>
      <td data-label={t("time")}>
        <time dateTime={line.at}>{formatZonedTime(line.at)}</time>
      </td>
      <th scope="row">{actionName(line.action)}</th>
      <td data-label={t("account")}>{line.token_prefix ? t("actorToken", { actor: line.actor, token: line.token_prefix }) : line.actor}</td>
      <td data-label={t("team")}>{team}</td>
      <td data-label={t("object")}>{line.object && <code className={styles.id}>{line.object}</code>}</td>
      <td data-label={t("outcome")}>
        <State label={outcomeOf(line)} />
      </td>
      <td data-label={t("from")}>{line.address}</td>
    </tr>
  );
}

function outcomeOf({ status, code }: InstallationAuditLine): StateLabel {
  const about = code ? `${status} ${code}` : `${status}`;
  if (status < 400) return { glyph: "✓", word: t("doneWith", { about }), tone: "good" };
  return status < 500 ? { glyph: "⊘", word: t("refusedWith", { about }), tone: "warn" } : { glyph: "✕", word: t("failedWith", { about }), tone: "bad" };
}
