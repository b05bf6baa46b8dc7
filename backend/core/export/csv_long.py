"""CSV with one row per trial and metric, exact values, for pandas, R and pivot tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.trials import CellTrials, value_of
from backend.core.chart.quality.aa_check import aa_checks, outcomes_by_cell
from backend.core.definition.metrics import METRICS
from backend.core.export.csv_text import Value, csv_text, level_columns

_BEFORE = ("run", "cell", "label", "is_baseline", "is_duplicate", "aa_outcome")
_AFTER = (
    "round",
    "position",
    "trial",
    "state",
    "failure",
    "evidence",
    "used",
    "status",
    "reason",
    "retakes",
    "server",
    "transactions",
    "metric",
    "unit",
    "value",
)


def csv_long(data: ChartInput) -> str:
    """The file. A trial without values, queued or failed, has one row with its state.

    `position` counts the trials within their round, in the order of the plan; `used` says whether the
    trial is in the statistics, `status` and `reason` why not: excluded, invalid, contaminated, not_proven,
    contradicted or the trial's state; `server` names the start of the server that served it; `aa_outcome` is
    the outcome of the A/A check of the cell's baseline. Values are as recorded, in the metric's own unit; an
    invalid or excluded trial has none.
    """
    levels = level_columns(cell.levels for cell in data.plan.cells)
    return csv_text((*_BEFORE, *levels, *_AFTER), _rows(data, levels))


def _rows(data: ChartInput, levels: tuple[str, ...]) -> Iterator[tuple[Value, ...]]:
    cells = by_cell(data)
    checks = tuple(aa_checks(cells, data.experiment.metrics, data.experiment.margin))
    aa = outcomes_by_cell({cell.id: cell.baseline_id for cell in data.plan.cells}, checks)
    for row, position in positions(data):
        cell = cells[row.cell_id].cell
        before = (data.run_id, cell.id, cell.label, cell.is_baseline, cell.is_duplicate, aa.get(cell.id))
        known = (
            *(cell.levels.get(name) for name in levels),
            *(row.round, position, row.trial_id, row.state, row.failure_code, row.evidence),
            *(
                row.trial_id in cells[row.cell_id].used_ids,
                *_status(row, cells[row.cell_id]),
                row.retakes,
                row.server,
                row.transactions,
            ),
        )
        measured: list[tuple[Value, ...]] = list(_values(row))
        yield from ((*before, *known, *one) for one in measured or [(None, None, None)])


def _status(row: TrialRow, trials: CellTrials) -> tuple[str, str | None]:
    """A trial's status as one word, and the reasons where it is not plainly `done`."""
    if row.state != "done":
        return row.state, row.failure_detail
    if row.excluded is not None:
        return "excluded", row.excluded
    if row.invalid:
        return "invalid", "; ".join(row.invalid)
    if row.contaminated:
        return "contaminated", "; ".join(row.contaminated)
    if row.trial_id in trials.used_ids:
        return "used", None
    return ("contradicted" if trials.state == "contradicted" else "not_proven"), None


def positions(data: ChartInput) -> Iterator[tuple[TrialRow, int]]:
    """Every trial with its position within its round, from 1, in the plan's order."""
    seen: Counter[int] = Counter()
    for row in data.trials:
        seen[row.round] += 1
        yield row, seen[row.round]


def _values(row: TrialRow) -> Iterator[tuple[str, str | None, float]]:
    found = row.metrics or {}
    for name in (*(name for name in METRICS if name in found), *sorted(found.keys() - METRICS.keys())):
        value = value_of(row, name)
        if value is not None:
            yield name, METRICS[name].unit if name in METRICS else None, value
