import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { groupImage } from "@/api/exports";
import { queries } from "@/api/queries";
import type { HostsResult } from "@/api/generated";
import { isTerminal } from "@/api/states";
import { Card } from "@/components/Card";
import { formatTime } from "@/components/format";
import { onDemand } from "@/components/onDemand";
import { PageHead } from "@/components/PageHead";
import { Select } from "@/components/Select";
import { StateBadge } from "@/components/State";
import { RUN_STATES } from "@/components/stateLabels";
import { Loading, Note, QueryStatus } from "@/components/Status";
import { TableScroll } from "@/components/TableScroll";
import { useAddress } from "@/components/useAddress";
import { useTitle } from "@/components/useTitle";
import { messages, withMessages } from "@/messages";
import { GroupActions } from "./GroupActions";
import styles from "./GroupPage.module.css";
import { HostDifferences } from "./HostDifferences";
import { HostsFigures } from "./HostsFigures";
import { MemberList } from "./MemberList";

const HostsPlot = onDemand(async () => (await withMessages(import("@/charts/HostsPlot"))).HostsPlot);

const t = messages("groups");
const POLL_MS = 5_000;

/** The page of one experiment on several hosts. */
export function GroupPage() {
  const { groupId = "" } = useParams();
  const [query, change] = useAddress();
  const group = useQuery({ ...queries.group(groupId), refetchInterval: ({ state }) => (state.data && isTerminal(state.data.state) ? false : POLL_MS) });
  const ended = group.data !== undefined && isTerminal(group.data.state);
  const done = group.data?.members.reduce((sum, { progress }) => sum + (progress?.done ?? 0), 0) ?? 0;
  const metric = query.get("metric");
  const result = useQuery({ ...queries.groupResult(groupId, metric, `${group.data?.state ?? ""} ${done}`), enabled: group.data !== undefined, placeholderData: (before) => before });
  useTitle(group.data?.title ?? t("oneOnSeveral"));
  return (
    <>
      <PageHead
        crumbs={[{ label: t("start"), to: "/" }, { label: t("severalHosts"), to: "/run-groups" }, { label: group.data?.title ?? t("group") }]}
        title={group.data?.title ?? t("oneOnSeveral")}
        meta={
          group.data && (
            <>
              <StateBadge label={RUN_STATES[group.data.state]} />
              <span>{group.data.host_label === null ? t("onHosts", { count: group.data.members.length }) : t("onLabelled", { label: group.data.host_label })}</span>
              <span>{formatTime(group.data.created_at)}</span>
              <span>{t("seed", { seed: group.data.seed })}</span>
              <code>{group.data.id}</code>
            </>
          )
        }
        actions={group.data && <GroupActions group={group.data} ended={ended} metric={metric} />}
      />
      <QueryStatus query={group} label={t("loadingGroup")} />
      {result.data && <Notices model={result.data} />}
      {group.data && <MemberList group={group.data} />}
      {group.data && <QueryStatus query={result} label={t("loadingResult")} />}
      {result.data && <Figures model={result.data} onMetric={(next) => change({ metric: next })} />}
    </>
  );
}

/** What qualifies the figures: it comes before them. */
function Notices({ model }: { model: HostsResult }) {
  return (
    <>
      {model.notices.map((notice) => (
        <Note key={notice} tone="warn">{notice}</Note>
      ))}
      <HostDifferences model={model} />
      <Card title={t("result")}><p className={styles.headline}>{model.headline}</p></Card>
    </>
  );
}

function Figures({ model, onMetric }: { model: HostsResult; onMetric: (metric: string) => void }) {
  const { table } = model;
  const metrics = model.metrics.map((metric) => ({ value: metric, label: metric === table.metric ? table.label : metric }));
  const figures = <HostsFigures figures={table} />;
  return (
    <>
      <HostsPlot fallback={<Loading label={t("loadingChart")} />} figures={table} members={model.members} margin={model.margin} image={groupImage(model.group_id, table.metric)} table={figures} before={<Select label={t("metricOfAll")} options={metrics} value={table.metric} onChange={onMetric} />} />
      <Card title={t("eachCell")} note={table.headline} flush>
        <TableScroll label={t("eachCell")} folding>{figures}</TableScroll>
      </Card>
      <Card title={t("methods")}>
        <ul className={styles.methods}>
          {model.method.map((method) => (
            <li key={method}>{method}</li>
          ))}
        </ul>
      </Card>
    </>
  );
}
