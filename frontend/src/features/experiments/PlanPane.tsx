import type { FieldError } from "@/api/client";
import type { ExperimentDocument, Host, PlanAnswer } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatDuration, formatMemory, formatNumber, plural } from "@/components/format";
import { Loading, Note } from "@/components/Status";
import { Budget } from "./Budget";
import { PlanCells } from "./PlanCells";
import styles from "./PlanPane.module.css";
import { ResolutionView } from "./ResolutionView";
import { useStart } from "./useStart";

interface Props {
  document: ExperimentDocument;
  /** The same once it has not changed for a moment: for what is asked again with every change. */
  settled: ExperimentDocument;
  onDocument: (document: ExperimentDocument) => void;
  answer: PlanAnswer | undefined;
  /** The plan shown is not yet that of the document shown. */
  stale: boolean;
  error: Error | null;
  /** Refusals that no field shows. */
  elsewhere: readonly FieldError[];
  /** How many refusals stand at their fields. */
  marked: number;
  blocked: boolean;
  hosts: readonly Host[];
  host: string | undefined;
  onHost: (name: string) => void;
}

/** What would run, how long it takes, and the one button that starts it. */
export function PlanPane({ document, settled, onDocument, answer, stale, error, elsewhere, marked, blocked, hosts, host, onHost }: Props) {
  const start = useStart();
  const refused = error !== null;
  const known = hosts.find((each) => each.name === host);
  const nothing = answer?.plan.trials.length === 0;
  return (
    <div className={styles.pane}>
      <Card
        title="Plan"
        note="Nothing has started yet"
        actions={
          <>
            {hosts.length > 1 && (
              <select className={styles.host} aria-label="Host" value={host} onChange={(event) => onHost(event.target.value)}>
                {hosts.map((each) => (
                  <option key={each.id} value={each.name}>
                    {each.name}
                    {each.online ? "" : " (offline)"}
                  </option>
                ))}
              </select>
            )}
            <Button kind="primary" disabled={refused || stale || blocked || nothing || !answer || host === undefined} busy={start.isPending} onClick={() => start.mutate({ document, host })}>
              {host ? `Run on ${host}` : "No host to run on"}
            </Button>
          </>
        }
      >
        <div className={styles.body} data-stale={stale || refused || undefined} aria-live="polite">
          {refused && (
            <Note tone="bad">
              <strong>No plan: </strong>
              <Refusal error={error} elsewhere={elsewhere} marked={marked} />
            </Note>
          )}
          {start.isError && <Note tone="bad"><strong>Not started: </strong>{start.error.message}</Note>}
          {known && !known.online && <Note tone="warn">{known.name} is offline: the run waits in the queue until its worker is back.</Note>}
          {hosts.length === 0 && <Note tone="info">No worker has announced a host yet. The plan can be made; the run needs one.</Note>}
          {!answer && !refused && <Loading label="Making the plan" rows={6} />}
          {answer && <Size answer={answer} />}
          {answer?.resolution && <ResolutionView resolution={answer.resolution} />}
          {answer?.plan.warnings.map((warning) => (
            <Note key={warning} tone="warn">{warning}</Note>
          ))}
        </div>
        <Budget document={document} settled={settled} host={host} refused={refused || blocked} onDocument={onDocument} />
      </Card>
      {answer && (
        <Card title="Cells" note="One level of every factor each; every round runs all of them in a new order" flush>
          <PlanCells answer={answer} />
        </Card>
      )}
    </div>
  );
}

/** Why there is no plan: what no field shows in full, and how many fields are marked. */
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

function Size({ answer: { plan, experiment, quality_rule: rule } }: { answer: PlanAnswer }) {
  const infeasible = plan.cells.filter((cell) => cell.infeasible).length;
  const duplicates = plan.cells.filter((cell) => cell.is_duplicate && !cell.infeasible).length;
  const cells = plan.cells.length - infeasible - duplicates;
  const looks = plan.looks ?? [];
  const adaptive = looks.length > 0;
  return (
    <>
      <p className={styles.product}>
        <b>{plural(cells, "cell")}</b>
        {duplicates > 0 && <span> + {plural(duplicates, "A/A duplicate")}</span>}
        <i>×</i>
        <b>{adaptive ? `${formatNumber(experiment.rounds)} to ${plural(Math.max(...looks), "round")}` : plural(experiment.rounds, "round")}</b>
        <i>=</i>
        {adaptive && <span>at most</span>}
        <b>{plural(plan.estimate.trials, "trial")}</b>
      </p>
      {adaptive && <p className={styles.takes}>Looks after rounds {looks.map((round) => formatNumber(round)).join(", ")}: cells whose answer is clear are spared the rest.</p>}
      <p className={styles.takes}>
        takes {adaptive ? "at most" : ""} about <b>{formatDuration(plan.estimate.seconds)}</b>
        <span>
          {formatDuration(plan.estimate.window_seconds)} of it measuring, on {plural(plan.estimate.deployments, "deployment")}
        </span>
        <Standing estimate={plan.estimate} />
      </p>
      {plan.restart_reason && (
        <p className={styles.takes}>
          {plan.restart_reason}
          {plan.estimate.restart_seconds ? <span>starting them again takes {formatDuration(plan.estimate.restart_seconds)} of the time</span> : null}
        </p>
      )}
      {plan.estimate.noisy_seconds ? <p className={styles.takes}>On a host that stays noisy, waiting and taking trials again add up to {formatDuration(plan.estimate.noisy_seconds)}.</p> : null}
      {rule && (
        <details className={styles.takes}>
          <summary>When a trial counts</summary>
          <p>{rule}</p>
        </details>
      )}
      {infeasible > 0 && <p className={styles.takes}>{formatNumber(infeasible)} of the cells cannot run on this host; they stay in the plan with their reason.</p>}
    </>
  );
}

/** What stands on the host at the same time, and the memory that it needs. */
function Standing({ estimate: { containers, memory_bytes } }: { estimate: PlanAnswer["plan"]["estimate"] }) {
  if (!containers) return null;
  return (
    <span>
      up to {plural(containers, "container")} at a time{memory_bytes ? `, about ${formatMemory(memory_bytes)} of memory` : ""}
    </span>
  );
}
