"""Each cell against its baseline: paired by round, with simultaneous intervals over one metric's family."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate, correct_family
from backend.core.chart.cells.pairing import compare_family, compared
from backend.core.chart.cells.replicates import served_by
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.cell_models import Comparison
from backend.core.definition.metrics import METRICS
from backend.core.statistics.paired import METHOD


def compare_all(cells: Cells, metric: str, margin: float, analyses: int = 1) -> dict[str, Comparison]:
    """The comparisons of one metric by cell id: all cells are one family, A/A duplicates another.

    A cell whose tool does not yield the metric has none.
    """
    families: dict[bool, list[str]] = {False: [], True: []}
    for trials in compared(cells.values(), metric):
        families[trials.cell.is_duplicate].append(trials.cell.id)
    found: dict[str, CorrectedEstimate] = {}
    for ids in families.values():
        found |= correct_family(compare_family(ids, cells, metric, analyses), analyses)
    return as_comparisons(found, cells, metric, margin)


def as_comparisons(
    estimates: Mapping[str, CorrectedEstimate], cells: Cells, metric: str, margin: float
) -> dict[str, Comparison]:
    """Comparisons with their verdicts by cell id, of estimates that are corrected for their family."""
    return {id_: _comparison(cells, id_, metric, own, margin) for id_, own in estimates.items()}


def _comparison(cells: Cells, id_: str, metric: str, found: CorrectedEstimate, margin: float) -> Comparison:
    trials = cells[id_]
    baseline_id = trials.cell.baseline_id or id_
    row = METRICS[metric]
    judged = found.verdict(row, trials.cell.label, margin)
    return Comparison(
        baseline_id=baseline_id,
        **found.fields(row.unit),
        rounds_needed=found.needed,
        method=METHOD if found.estimate is None else found.estimate.method,
        verdict=judged.kind,
        sentence=judged.sentence,
        server=served_by(trials, cells[baseline_id]),
    )
