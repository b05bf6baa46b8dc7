import { useId } from "react";
import { fieldErrors, type FieldError } from "@/api/errors";
import type { ExperimentDraft } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { Button } from "@/components/Button";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { HostChoice } from "./HostChoice";
import { hostsOf } from "./hostSet";
import styles from "./PlanBar.module.css";
import { PlanFacts } from "./PlanFacts";
import { RemedyLine } from "./RemedyLine";
import { startRefusal } from "./startRefusal";
import type { ChosenHosts } from "./useChosenHosts";
import { useRoomBelow } from "./useRoomBelow";
import { isPlanChanged, useStart } from "./useStart";

const t = messages("experiments");
const p = messages("planBar");

interface Props {
  document: ExperimentDraft;
  onDocument: (document: ExperimentDraft) => void;
  /** The newest plan, which may be of an earlier version. */
  answer: PlanPreview | undefined;
  /** Whether the plan is of an earlier version of the document, or of another host. */
  stale: boolean;
  error: Error | null;
  /** Errors that no field shows. */
  elsewhere: readonly FieldError[];
  /** Whether the YAML cannot be parsed. */
  blocked: boolean;
  /** Whether what was compared went away. */
  lost: boolean;
  chosen: ChosenHosts;
  /** Moves the focus to what is refused. */
  onShow: () => void;
  onStarted: () => void;
}

/** The plan in one line, what it cannot answer, and the button that starts it: it stays in view. */
export function PlanBar(props: Props) {
  const { document, onDocument, answer, stale, error, blocked, lost, chosen, onStarted } = props;
  const id = useId();
  const room = useRoomBelow();
  const { hosts, host, several, clientHost } = chosen;
  const start = useStart(onStarted);
  const mayStart = useMay("write");
  const together = several && hostsOf(several, hosts);
  const reason = startRefusal({
    blocked,
    lost,
    refused: fieldErrors(error).length > 0,
    failed: error !== null,
    stale: stale || !answer,
    nothing: answer?.plan.trials.length === 0,
    hostless: host === undefined || together?.length === 0,
    gone: chosen.isGone,
  });
  const planDigest = answer?.plan_digest ?? "";
  const run = () => start.mutate({ document, host, several, clientHost, planDigest });
  const onSeveral = together && t("runOnSeveral", { count: together.length });
  const isEarlier = answer !== undefined && (stale || error !== null);
  return (
    <section
      ref={room}
      tabIndex={-1}
      role="group"
      aria-label={t("plan")}
      data-plan-bar
      className={styles.bar}
    >
      <div className={styles.inner}>
        <div className={styles.said} data-stale={isEarlier || undefined}>
          <PlanFacts answer={answer} isEarlier={isEarlier} isFailed={error !== null} />
          {answer && !isEarlier && <RemedyLine {...{ answer, document, onDocument }} />}
          <div className={styles.state} aria-live="polite">
            {mayStart ? (
              <p id={id} data-quiet={reason === null || reason === "notStartedStale" || undefined}>
                {reason === null ? t("startsThis") : t(reason)} <Refusals {...props} />
              </p>
            ) : (
              <p>{t("planOnly")}</p>
            )}
            {start.isError && (
              <p data-tone="bad">
                <strong>{t("notStarted")}</strong>{" "}
                <bdi>{isPlanChanged(start.error) ? t("planChanged") : start.error.message}</bdi>
              </p>
            )}
            <HostNote chosen={chosen} />
          </div>
        </div>
        <div className={styles.start}>
          {(hosts.length > 1 || chosen.isGone) && <HostChoice {...chosen} />}
          {mayStart && (
            <Button
              kind="primary"
              id="run"
              disabled={reason !== null}
              aria-describedby={id}
              busy={start.isPending}
              onClick={run}
            >
              {onSeveral ?? (host ? t("runOn", { host }) : t("noHost"))}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

/** What the server refuses: a button that goes to the fields, and what no field shows. */
function Refusals({ error, elsewhere, lost, onShow }: Props) {
  const refused = fieldErrors(error);
  const marked = refused.length - elsewhere.length;
  if (lost) return <Link onClick={onShow}>{p("choose")}</Link>;
  if (error === null) return null;
  if (refused.length === 0) return <bdi>{error.message}</bdi>;
  return (
    <>
      {marked > 0 && <Link onClick={onShow}>{p("showMarked", { count: marked })}</Link>}
      {elsewhere.map((each) => (
        <span key={each.pointer + each.detail} className={styles.elsewhere}>
          <code>{each.pointer}</code> <bdi>{each.detail}</bdi>
        </span>
      ))}
    </>
  );
}

const Link = ({ onClick, children }: { onClick: () => void; children: React.ReactNode }) => (
  <button type="button" className={styles.link} onClick={onClick}>
    {children}
  </button>
);

/** What is special about the hosts: none, offline, or several. */
function HostNote({ chosen: { hosts, host, several } }: { chosen: ChosenHosts }) {
  const known = hosts.find((each) => each.name === host);
  if (hosts.length === 0) return <p>{t("noHosts")}</p>;
  if (several && host !== undefined) return <p>{t("planOfOne", { host })}</p>;
  if (!known || known.online) return null;
  return <p data-tone="warn">{t("offlineQueued", { host: known.name })}</p>;
}
