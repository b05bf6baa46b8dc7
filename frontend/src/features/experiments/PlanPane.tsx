import type { FieldError } from "@/api/errors";
import { draftOf, type ExperimentDraft } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatDuration, formatMemory, formatNumber, plural } from "@/components/format";
import { Loading, Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { Budget } from "./Budget";
import { ClientHostChoice } from "./ClientHostChoice";
import { PlanCells } from "./PlanCells";
import styles from "./PlanPane.module.css";
import { HostChoice, SeveralHosts } from "./HostChoice";
import { hostsOf } from "./hostSet";
import { ResolutionView } from "./ResolutionView";
import type { ChosenHosts } from "./useChosenHosts";
import { useStart } from "./useStart";

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

/** The plan with its duration, and the button that starts it. */
export function PlanPane({ document, settled, onDocument, answer, stale, error, elsewhere, marked, blocked, chosen, onStarted }: Props) {
  const { hosts, host, several, clientHost } = chosen;
  const start = useStart(onStarted);
  const mayStart = useMay("write");
  const refused = error !== null;
  const known = hosts.find((each) => each.name === host);
  const together = several && hostsOf(several, hosts);
  const nothing = answer?.plan.trials.length === 0;
  return (
    <div className={styles.pane}>
      <Card
        title="Plan"
        note="Nothing has started yet"
        actions={
          <>
            {hosts.length > 1 && <HostChoice {...chosen} />}
            {mayStart && (
              <Button kind="primary" disabled={refused || stale || blocked || nothing || !answer || host === undefined || together?.length === 0} busy={start.isPending} onClick={() => start.mutate({ document, host, several, clientHost })}>
                {together ? `Run on ${plural(together.length, "host")}` : host ? `Run on ${host}` : "No host to run on"}
              </Button>
            )}
          </>
        }
      >
        <div className={styles.body} data-stale={stale || refused || undefined} aria-live="polite">
          {!mayStart && <Note tone="info">You can plan here. Starting runs needs the role runner: ask an administrator of the team.</Note>}
          {refused && (
            <Note tone="bad">
              <strong>No plan: </strong>
              <Refusal error={error} elsewhere={elsewhere} marked={marked} />
            </Note>
          )}
          {start.isError && <Note tone="bad"><strong>Not started: </strong>{start.error.message}</Note>}
          {several && <SeveralHosts hosts={hosts} several={several} onSeveral={chosen.onSeveral} />}
          <ClientHostChoice chosen={chosen} />
          {several && <Note tone="info">This is the plan of {host}. Each other host gets its own: cells that it cannot run stay in its plan with the reason.</Note>}
          {!several && known && !known.online && <Note tone="warn">{known.name} is offline: the run is queued until its worker is back.</Note>}
          {hosts.length === 0 && <Note tone="info">No host is registered yet. A plan needs none; a run does.</Note>}
          {!answer && !refused && <Loading label="Loading the plan" rows={6} />}
          {answer && <Size answer={answer} />}
          {answer?.resolution && <ResolutionView resolution={answer.resolution} />}
          {answer?.plan.warnings.map((warning) => (
            <Note key={warning} tone="warn">{warning}</Note>
          ))}
        </div>
        <Budget document={document} settled={settled} host={host} clientHost={clientHost} refused={refused || blocked} onDocument={onDocument} />
      </Card>
      {answer && (
        <Card title="Cells" note="A cell is one level of every factor; every round runs all cells in a new order" flush>
          <PlanCells answer={answer} />
        </Card>
      )}
    </div>
  );
}

/** Why there is no plan: the number of marked fields, and the errors that no field shows. */
function Refusal({ error, elsewhere, marked }: { error: Error; elsewhere: readonly FieldError[]; marked: number }) {
  if (marked + elsewhere.length === 0) return error.message;
  return (
    <>
      {marked > 0 && `${plural(marked, "value is", "values are")} not allowed; ${marked === 1 ? "it is" : "they are"} marked in the definition.`}
      {elsewhere.map((each) => (
        <p key={each.pointer + each.detail}>
          <code>{each.pointer}</code> {each.detail}
        </p>
      ))}
    </>
  );
}

function Size({ answer: { plan, experiment, quality_rule: rule } }: { answer: PlanPreview }) {
  const { rounds } = draftOf(experiment);
  const infeasible = plan.cells.filter((cell) => cell.infeasible).length;
  const duplicates = plan.cells.filter((cell) => cell.is_duplicate && !cell.infeasible).length;
  const cells = plan.cells.length - infeasible - duplicates;
  const interim = plan.interim_rounds ?? [];
  const adaptive = interim.length > 0;
  return (
    <>
      <p className={styles.product}>
        <b>{plural(cells, "cell")}</b>
        {duplicates > 0 && <span> + {plural(duplicates, "A/A duplicate")}</span>}
        <i>×</i>
        <b>{adaptive ? `${formatNumber(rounds)} to ${plural(Math.max(...interim), "round")}` : plural(rounds, "round")}</b>
        <i>=</i>
        {adaptive && <span>at most</span>}
        <b>{plural(plan.estimate.trials, "trial")}</b>
      </p>
      {adaptive && <p className={styles.size}>Interim analyses after rounds {interim.map((round) => formatNumber(round)).join(", ")}: cells that are decided then skip the remaining rounds.</p>}
      <p className={styles.size}>
        takes {adaptive ? "at most" : ""} about <b>{formatDuration(plan.estimate.seconds)}</b>
        <span>
          {formatDuration(plan.estimate.window_seconds)} of it are measured windows, on {plural(plan.estimate.deployments, "deployment")}
        </span>
        <ResourceNeeds estimate={plan.estimate} />
      </p>
      {plan.restart_reason && (
        <p className={styles.size}>
          {plan.restart_reason}
          {plan.estimate.restart_seconds ? <span>Restarts take {formatDuration(plan.estimate.restart_seconds)} of the time.</span> : null}
        </p>
      )}
      {plan.estimate.noisy_seconds ? <p className={styles.size}>On a noisy host, waiting and repeated trials add up to {formatDuration(plan.estimate.noisy_seconds)}.</p> : null}
      {rule && (
        <details className={styles.size}>
          <summary>When a trial is valid</summary>
          <p>{rule}</p>
        </details>
      )}
      {infeasible > 0 && <p className={styles.size}>{formatNumber(infeasible)} of the cells cannot run on this host; they stay in the plan with their reason.</p>}
    </>
  );
}

/** The number of containers that run at the same time, and the memory that they need. */
function ResourceNeeds({ estimate: { containers, memory_bytes } }: { estimate: PlanPreview["plan"]["estimate"] }) {
  if (!containers) return null;
  return (
    <span>
      up to {plural(containers, "container")} at a time{memory_bytes ? `, about ${formatMemory(memory_bytes)} of memory` : ""}
    </span>
  );
}
