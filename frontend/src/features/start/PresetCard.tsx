import { useQuery } from "@tanstack/react-query";
import { postPlan } from "@/api/postPlan";
import { keys } from "@/api/queryKeys";
import type { Plan, Preset } from "@/api/types";
import { ButtonLink } from "@/components/Button";
import { formatDuration, formatNumber, plural } from "@/components/format";
import styles from "./PresetCard.module.css";

/** A study that is ready to run: what it answers, what it takes. */
export function PresetCard({ preset, primary }: { preset: Preset; primary: boolean }) {
  const plan = useQuery({
    queryKey: keys.plan(preset.definition, undefined),
    queryFn: ({ signal }) => postPlan(preset.definition, undefined, signal),
    staleTime: 60_000,
  });
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <h2>{preset.title}</h2>
        <span className={styles.tag}>{preset.form === "quick" ? "quick look" : "full study"}</span>
      </div>
      <p className={styles.summary}>{preset.summary}</p>
      {plan.isError ? <p className={styles.missing}>The plan cannot be made: {plan.error.message}</p> : <Size plan={plan.data?.plan} rounds={preset.definition.rounds} />}
      <div className={styles.foot}>
        <ButtonLink to={`/new?preset=${encodeURIComponent(preset.name)}`} kind={primary ? "primary" : "plain"}>
          See the plan and run
        </ButtonLink>
        {preset.study && <span className={styles.study}>study {preset.study}</span>}
      </div>
    </article>
  );
}

function Size({ plan, rounds }: { plan: Plan | undefined; rounds: number }) {
  const cells = plan?.cells.filter((cell) => !cell.is_duplicate && !cell.infeasible).length;
  const duplicates = plan?.cells.filter((cell) => cell.is_duplicate).length ?? 0;
  return (
    <dl className={styles.size}>
      <div>
        <dt>cells × rounds</dt>
        <dd>
          {cells === undefined ? "…" : formatNumber(cells)}
          {duplicates > 0 && <span title="with the A/A duplicate of the baseline"> + {duplicates} A/A</span>} × {formatNumber(rounds)}
        </dd>
      </div>
      <div>
        <dt>trials</dt>
        <dd>{plan ? plural(plan.estimate.trials, "trial") : "…"}</dd>
      </div>
      <div>
        <dt>takes about</dt>
        <dd>{plan ? formatDuration(plan.estimate.seconds) : "…"}</dd>
      </div>
    </dl>
  );
}
