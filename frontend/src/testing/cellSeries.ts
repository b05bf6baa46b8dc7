/** A cell's trials over time for tests: three rounds of four seconds after a warm-up of two, the second one disturbed. */
import type { Axis, CellSeries, SeriesTrial } from "@/api/generated";

const axis = (metric: string, unit: string, top: number): Axis => ({ metric, label: metric, unit, better: "higher", domain: [0, top], zoom: [0, top], decimals: 0 });

function trial(round: number): SeriesTrial {
  const t = [3, 4, 5, 6];
  return {
    trial_id: `trl_${round}`,
    round,
    used: round !== 2,
    evidence: "proven",
    excluded: null,
    invalid: [],
    contaminated: round === 2 ? ["steal 12 %"] : [],
    retakes: round === 3 ? 2 : 0,
    warm_up: { t: [1, 2], values: [500 * round, 800 * round] },
    rate: { t, values: t.map((at) => 1000 * round + at) },
    intervals_per_point: 1,
    cpu: { t, cores: { all: t.map(() => 3), client: t.map(() => 1), server: t.map(() => 2) } },
  };
}

export function cellSeries(changes: Partial<CellSeries> = {}): CellSeries {
  const cores = axis("cpu_cores", "cores", 4);
  return {
    run_id: "r",
    cell_id: "c1",
    label: "same_container",
    tool: "pgbench",
    warm_up_s: 2,
    seconds: 6,
    rate: axis("tps", "1/s", 4000),
    cpu: { all: cores, client: cores, server: cores },
    trials: [1, 2, 3].map(trial),
    left_out: 0,
    ...changes,
  };
}
