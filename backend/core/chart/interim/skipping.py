"""Which trials need not run after an interim analysis: those of decided cells, or beyond the budget."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import Cells, by_cell
from backend.core.chart.interim.interim_analysis import replay_interim_analyses
from backend.core.plan.estimate import trial_seconds


def trials_to_skip(data: ChartInput) -> frozenset[tuple[str, int]]:
    """The queued trials, as (cell id, round), that need not run after the last interim analysis.

    Those of the cells that are decided or can have no ratio; of baselines and A/A duplicates without an
    open cell; and all of them where the rounds up to the next analysis would exceed the experiment's budget.
    """
    cells = by_cell(data)
    replay = replay_interim_analyses(data, cells)
    if not replay.taken:
        return frozenset()
    now = replay.taken[-1]
    kept = _still_needed(replay.open, cells)
    later = [row for row in data.trials if row.state == "queued" and row.round > now]
    until = next((round_ for round_ in replay.planned if round_ > now), now)
    stage = [row for row in later if row.cell_id in kept and row.round <= until]
    if not _fits(data, cells, stage):
        kept = frozenset()
    return frozenset((row.cell_id, row.round) for row in later if row.cell_id not in kept)


def _still_needed(open_: frozenset[str], cells: Cells) -> frozenset[str]:
    """The open cells with their baselines, and the A/A duplicates of those."""
    baselines = {id_ for open_id in open_ if (id_ := cells[open_id].cell.baseline_id) is not None}
    duplicates = {id_ for id_, c in cells.items() if c.cell.is_duplicate and c.cell.baseline_id in baselines}
    return open_ | baselines | duplicates


def _fits(data: ChartInput, cells: Cells, stage: Sequence[TrialRow]) -> bool:
    """Whether the planned time of the trials that ran and of the next stage is within the budget.

    Planned time is that of trials, of the preparation, and of a server start for its share of each round.
    """
    stopping = data.experiment.stopping
    if stopping is None or stopping.budget_minutes is None:
        return True
    trials = (*(row for row in data.trials if row.state in ("done", "failed")), *stage)
    seconds = sum(trial_seconds(cells[row.cell_id].cell.levels) for row in trials)
    seconds += _restart_seconds_per_round(data) * max((row.round for row in trials), default=0)
    return data.plan.estimate.preparation_seconds + seconds <= 60 * stopping.budget_minutes + 1e-6


def _restart_seconds_per_round(data: ChartInput) -> float:
    """Seconds of server starts in the plan's estimate of one round; 0 in old plans without restarts."""
    if data.plan.restart_every is None:
        return 0.0
    feasible = (cell.levels for cell in data.plan.cells if cell.infeasible is None)
    return max(0.0, data.plan.estimate.round_seconds - sum(map(trial_seconds, feasible)))
