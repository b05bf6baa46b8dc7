"""The cells of one run, each with its trials, and how many of its rounds are complete."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.trials import CellTrials
from backend.core.plan.states import RUN_ENDED

Cells = Mapping[str, CellTrials]
"""The cells of one run by id."""


def by_cell(data: ChartInput) -> dict[str, CellTrials]:
    """Every cell of the plan with its trials, by id and in the plan's order."""
    rows: defaultdict[str, list[TrialRow]] = defaultdict(list)
    for row in data.trials:
        rows[row.cell_id].append(row)
    ended = data.state in RUN_ENDED
    return {
        cell.id: CellTrials(
            cell=cell,
            rows=_by_round(rows[cell.id]),
            planned=0 if cell.infeasible is not None else _trials_to_run(data, rows[cell.id]),
            run_ended=ended,
            proof_needed=data.origin != "imported",
            restart_every=data.plan.restart_every,
        )
        for cell in data.plan.cells
    }


def _trials_to_run(data: ChartInput, rows: Sequence[TrialRow]) -> int:
    """The planned number of trials of a cell; of interim analyses and imports, those not skipped."""
    if data.plan.interim_rounds or data.origin == "imported":
        return sum(row.state != "spared" for row in rows)
    return data.experiment.rounds


def _by_round(rows: Iterable[TrialRow]) -> tuple[TrialRow, ...]:
    return tuple(sorted(rows, key=lambda row: (row.round, row.trial_id)))


def rounds_complete(cells: Iterable[CellTrials]) -> int:
    """How many rounds have every one of their trials recorded, or skipped after others were recorded."""
    feasible = [cell for cell in cells if cell.planned]
    recorded = Counter(round_ for cell in feasible for round_ in {row.round for row in cell.done})
    skipped = Counter(
        round_ for cell in feasible for round_ in {row.round for row in cell.rows if row.state == "spared"}
    )
    return sum(n + skipped[round_] == len(feasible) for round_, n in recorded.items())
