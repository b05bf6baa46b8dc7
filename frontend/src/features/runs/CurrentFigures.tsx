import type { PhaseEvent, Run } from "@/api/generated";
import { Sparkline } from "@/charts/Sparkline";
import { formatNumber } from "@/components/format";
import { rateNamed, rateOf } from "@/components/rates";
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

/** The running trial with its rate and its CPU by role, second by second, or why it waits. */
export function CurrentFigures({ run, live, phase, store, cores }: Props) {
  useMatrixVersion(store);
  if (run.state === "queued")
    return (
      <div className={styles.now}>
        {phase ? (
          <PhaseLine phase={phase} />
        ) : (
          <p className={styles.cell}>{waits("queuedOnHost", { host: run.host })}</p>
        )}
      </div>
    );
  return (
    <div className={styles.now}>
      {run.current ? (
        <p className={styles.cell} title={run.current.label}>
          <span className={styles.dot} aria-hidden="true" />
          <RichText
            namespace="runs"
            id="currentTrial"
            values={{ cell: run.current.label, round: run.current.round }}
            parts={{ b: <b />, span: <span /> }}
          />
        </p>
      ) : (
        <p className={styles.cell}>{waits("preparing")}</p>
      )}
      {phase ? <PhaseLine phase={phase} /> : <Figures {...{ run, live, store, cores }} />}
    </div>
  );
}

function Figures({ run, live, store, cores }: Omit<Props, "phase">) {
  const metricOf = (cellId: string | undefined) =>
    cellId === undefined ? undefined : store.cell(cellId)?.metric;
  // Between trials nothing is measured: the name is of the next trial, and no figure of the
  // last one is beside it.
  const own = live?.trialId === run.current?.trial_id ? live : null;
  const last = own?.points.at(-1);
  const metric = metricOf(run.current?.cell_id);
  const rate = (metric === undefined ? null : rateNamed(metric)) ?? rateOf(undefined);
  const now = last ? formatNumber(last.rate, rate.decimals) : null;
  // Rates in different units cannot share a line.
  const sameUnit = (live?.points ?? []).filter(
    (point) => point.trialId === own?.trialId || metricOf(point.cellId) === metric,
  );
  return (
    <div className={styles.figures}>
      <p className={styles.value}>
        <b>{now ?? "…"}</b> {rate.short}
      </p>
      <Sparkline
        values={sameUnit.map((point) => ({ group: point.trialId, value: point.rate }))}
        width={84}
        height={22}
        label={
          now
            ? t("liveRate", { rate: rate.label, value: now, unit: rate.unit })
            : t("noLiveRate")
        }
      />
      <Roles cores={own?.cores ?? null} most={cores} />
    </div>
  );
}

const LIVE_ROLES = ["client", "server", "proxy", "other"] as const;
const ROLE_NAMES = {
  client: "roleClient",
  server: "roleServer",
  proxy: "roleProxy",
  other: "roleOther",
} as const;

/** CPU by role as one bar, with the cores of the proxy. */
function Roles({ cores, most }: { cores: LiveCores | null; most: number | null }) {
  const used = LIVE_ROLES.reduce((sum, role) => sum + (cores?.[role] ?? 0), 0);
  const scale = Math.max(used, most ?? 1);
  const title = most === null ? t("cpuByRole") : t("cpuByRoleOf", { cores: most });
  const parts = LIVE_ROLES.map(
    (role) => `${t(ROLE_NAMES[role])} ${formatNumber(cores?.[role], 2)}`,
  );
  const text = t("liveRoles", { title, parts: parts.join(", ") });
  return (
    <>
      <span className={styles.track} role="img" aria-label={text} title={text}>
        {LIVE_ROLES.map((role) => (
          <span
            key={role}
            style={{
              width: `${(100 * (cores?.[role] ?? 0)) / scale}%`,
              background: roleColor(role),
            }}
          />
        ))}
      </span>
      <p className={styles.value} aria-hidden="true">
        {t("roleProxy")} <b>{formatNumber(cores?.proxy, 2)}</b>
      </p>
    </>
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
  const text = waits(PHASES[phase.phase], { reasons: reasons.join("; ") });
  return (
    <p className={styles.phase} role="status" data-phase={phase.phase} title={text}>
      <span aria-hidden="true">{phase.phase === "warming_up" ? "△" : "≋"}</span> {text}
    </p>
  );
}
