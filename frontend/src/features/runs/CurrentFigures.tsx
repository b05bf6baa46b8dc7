import type { PhaseEvent, Run } from "@/api/generated";
import { Sparkline } from "@/charts/Sparkline";
import { formatNumber } from "@/components/format";
import { rateNamed, rateOf } from "@/components/rates";
import { useWidth } from "@/components/useWidth";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { roleColor } from "@/theme/palette";
import styles from "./LivePane.module.css";
import type { MatrixStore } from "./matrixStore";
import type { Live, LiveCores } from "./patch";
import { useMatrixVersion } from "./useMatrix";

const t = messages("runs");
const waits = messages("waits");

interface Props {
  run: Run;
  live: Live | null;
  phase: PhaseEvent | null;
  store: MatrixStore;
  /** The host's cores. */
  cores: number | null;
}

/** The running trial with its rate and its CPU by role, second by second. */
export function CurrentFigures({ run, live, phase, store, cores }: Props) {
  const [ref, width] = useWidth(250);
  useMatrixVersion(store);
  if (run.state === "queued") {
    if (phase) return <PhaseLine phase={phase} />;
    return <p className={styles.waiting}>{waits("queuedOnHost", { host: run.host })}</p>;
  }
  const metricOf = (cellId: string | undefined) => (cellId === undefined ? undefined : store.cell(cellId)?.metric);
  // Between trials nothing is measured: the name is of the next trial, and no figure of the last one is below it.
  const own = live?.trialId === run.current?.trial_id ? live : null;
  const last = own?.points.at(-1);
  const metric = metricOf(run.current?.cell_id);
  const rate = (metric === undefined ? null : rateNamed(metric)) ?? rateOf(undefined);
  const now = last ? formatNumber(last.rate, rate.decimals) : null;
  // Rates in different units cannot share a line.
  const sameUnit = (live?.points ?? []).filter((point) => point.trialId === own?.trialId || metricOf(point.cellId) === metric);
  return (
    <div className={styles.now}>
      {run.current ? (
        <p className={styles.cell}>
          <span className={styles.dot} aria-hidden="true" />
          <RichText namespace="runs" id="currentTrial" values={{ cell: run.current.label, round: run.current.round }} parts={{ b: <b />, span: <span /> }} />
        </p>
      ) : (
        <p className={styles.cell}>{waits("preparing")}</p>
      )}
      {phase && <PhaseLine phase={phase} />}
      <div className={styles.figures}>
        <div ref={ref}>
          <p className={styles.name}>{rate.unit === "1/s" ? rate.label : t("rateWithUnit", { rate: rate.label, unit: rate.unit })}</p>
          <p className={styles.value}>{now ?? "…"}</p>
          <Sparkline
            values={sameUnit.map((point) => ({ group: point.trialId, value: point.rate }))}
            width={width}
            height={64}
            label={now ? t("liveRate", { rate: rate.label, value: now, unit: rate.unit }) : t("noLiveRate")}
          />
        </div>
        <div>
          <p className={styles.name}>{cores === null ? t("cpuByRole") : t("cpuByRoleOf", { cores })}</p>
          <Roles cores={own?.cores ?? null} most={cores} />
        </div>
      </div>
    </div>
  );
}

const LIVE_ROLES = ["client", "server", "proxy", "other"] as const;
const ROLE_NAMES = { client: "roleClient", server: "roleServer", proxy: "roleProxy", other: "roleOther" } as const;

function Roles({ cores, most }: { cores: LiveCores | null; most: number | null }) {
  const scale = most ?? Math.max(1, ...LIVE_ROLES.map((role) => cores?.[role] ?? 0));
  return (
    <ul className={styles.roles}>
      {LIVE_ROLES.map((role) => (
        <li key={role}>
          <span>{t(ROLE_NAMES[role])}</span>
          <span className={styles.track}>
            <span style={{ width: `${Math.min(100, (100 * (cores?.[role] ?? 0)) / scale)}%`, background: roleColor(role) }} />
          </span>
          <span className={styles.cores}>{formatNumber(cores?.[role], 2)}</span>
        </li>
      ))}
    </ul>
  );
}

const PHASES = {
  waiting: "phaseWaiting",
  repeating: "phaseRepeating",
  warming_up: "phaseWarmingUp",
  other_installation: "phaseOtherInstallation",
} as const;

/** Why the trial is not measured yet, or is measured again. */
export function PhaseLine({ phase }: { phase: PhaseEvent }) {
  const { reasons } = phase;
  return (
    <p className={styles.phase} role="status" data-phase={phase.phase}>
      <span aria-hidden="true">{phase.phase === "warming_up" ? "△" : "≋"}</span> {waits(PHASES[phase.phase], { reasons: reasons.join("; ") })}
    </p>
  );
}
