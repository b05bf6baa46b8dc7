import { useId } from "react";
import { fieldErrors, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { Loading, Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { Budget } from "./Budget";
import { ClientHostChoice } from "./ClientHostChoice";
import { HostChoice, SeveralHosts } from "./HostChoice";
import { hostsOf } from "./hostSet";
import { PlanCells } from "./PlanCells";
import styles from "./PlanPane.module.css";
import { PlanSize } from "./PlanSize";
import { ResolutionView } from "./ResolutionView";
import { startRefusal } from "./startRefusal";
import { TrialOrder } from "./TrialOrder";
import type { ChosenHosts } from "./useChosenHosts";
import { isPlanChanged, useStart } from "./useStart";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  /** The document, debounced: for requests after each change. */
  settled: ExperimentDraft;
  onDocument: (document: ExperimentDraft) => void;
  answer: PlanPreview | undefined;
  /** Whether the plan is of an earlier version of the document. */
  stale: boolean;
  error: Error | null;
  /** Errors that no field shows. */
  elsewhere: readonly FieldError[];
  /** The number of errors that are shown at their fields. */
  marked: number;
  blocked: boolean;
  chosen: ChosenHosts;
  onStarted: () => void;
}

/** The plan with its duration, and the button that starts it: this plan, or nothing. */
export function PlanPane({ document, settled, onDocument, answer, stale, error, elsewhere, marked, blocked, chosen, onStarted }: Props) {
  const id = useId();
  const { hosts, host, several, clientHost } = chosen;
  const start = useStart(onStarted);
  const mayStart = useMay("write");
  const refused = error !== null;
  const known = hosts.find((each) => each.name === host);
  const together = several && hostsOf(several, hosts);
  const reason = startRefusal({ blocked, refused: fieldErrors(error).length > 0, failed: refused, stale: stale || !answer, nothing: answer?.plan.trials.length === 0, hostless: host === undefined || together?.length === 0 });
  return (
    <div className={styles.pane}>
      <Card
        title={t("plan")}
        note={t("planNote")}
        actions={
          <>
            {hosts.length > 1 && <HostChoice {...chosen} />}
            {mayStart && (
              <Button kind="primary" disabled={reason !== null} aria-describedby={id} busy={start.isPending} onClick={() => start.mutate({ document, host, several, clientHost, planDigest: answer?.plan_digest ?? "" })}>
                {together ? t("runOnSeveral", { count: together.length }) : host ? t("runOn", { host }) : t("noHost")}
              </Button>
            )}
          </>
        }
      >
        <div className={styles.body} data-stale={stale || refused || undefined} aria-live="polite">
          {mayStart ? (
            <p id={id} className={styles.about}>
              {reason === null ? t("startsThis") : t(reason)}
            </p>
          ) : (
            <Note tone="info">{t("planOnly")}</Note>
          )}
          {refused && (
            <Note tone="bad">
              <strong>{t("noPlan")}</strong> <Refusal error={error} elsewhere={elsewhere} marked={marked} />
            </Note>
          )}
          {start.isError && (
            <Note tone="bad">
              <strong>{t("notStarted")}</strong> <bdi>{isPlanChanged(start.error) ? t("planChanged") : start.error.message}</bdi>
            </Note>
          )}
          {several && <SeveralHosts hosts={hosts} several={several} onSeveral={chosen.onSeveral} />}
          <ClientHostChoice chosen={chosen} />
          {several && host !== undefined && <Note tone="info">{t("planOfOne", { host })}</Note>}
          {!several && known && !known.online && <Note tone="warn">{t("offlineQueued", { host: known.name })}</Note>}
          {hosts.length === 0 && <Note tone="info">{t("noHosts")}</Note>}
          {!answer && !refused && <Loading label={t("loadingPlan")} rows={6} />}
          {answer && <PlanSize answer={answer} />}
          {answer && <TrialOrder answer={answer} />}
          {answer?.resolution && <ResolutionView resolution={answer.resolution} />}
          {answer?.plan.warnings.map((warning) => (
            <Note key={warning} tone="warn"><bdi>{warning}</bdi></Note>
          ))}
        </div>
        <Budget document={document} settled={settled} host={host} clientHost={clientHost} refused={refused || blocked} onDocument={onDocument} />
      </Card>
      {answer && (
        <Card title={t("cells")} note={t("cellsNote")} flush>
          <PlanCells answer={answer} />
        </Card>
      )}
    </div>
  );
}

/** Why there is no plan: the number of marked fields, and the errors that no field shows. */
function Refusal({ error, elsewhere, marked }: { error: Error; elsewhere: readonly FieldError[]; marked: number }) {
  if (marked + elsewhere.length === 0) return <bdi>{error.message}</bdi>;
  return (
    <>
      {marked > 0 && t("marked", { count: marked })}
      {elsewhere.map((each) => (
        <p key={each.pointer + each.detail}>
          <code>{each.pointer}</code> <bdi>{each.detail}</bdi>
        </p>
      ))}
    </>
  );
}
