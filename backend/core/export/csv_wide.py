"""CSV with one row per cell: the page's table, with every figure in a column of its own."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.chart.cells.summaries import SHARES
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.quality_models import AaOutcome
from backend.core.chart.quality.aa_check import outcomes_by_cell
from backend.core.export.csv_text import Value, csv_text, level_columns

_BEFORE = ("run", "cell", "label", "state", "reason", "is_baseline", "is_duplicate", "baseline")
_COUNTS = (
    "trials_done",
    "trials_failed",
    "trials_planned",
    "proven",
    "not_proven",
    "contradicted",
    "invalid",
    "contaminated",
    "excluded",
    "retakes",
    "decided_at",
    "aa_outcome",
    "trust",
)
_OF_METRIC = (
    "n",
    "median",
    "low",
    "high",
    "cv_percent",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p",
    "p_holm",
    "p_adjusted",
    "verdict",
    "sentence",
    "difference",
    "difference_low",
    "difference_high",
)


def csv_wide(model: ChartModel) -> str:
    """The file: `low` and `high` are the 95 % interval of the median of this cell alone, `ratio` is
    cell ÷ baseline with its simultaneous interval over the metric's comparisons; `p_adjusted` belongs to it.
    Where there is no ratio because a value is zero, `difference` is cell − baseline in the metric's unit.

    `aa_outcome` is the outcome of the A/A check of the cell's baseline, and `trust`, in every row alike, what
    the checks say against the run.
    Numbers are the ChartModel's own, six significant digits; the JSON export and csv-long are exact.
    """
    levels = level_columns(cell.levels for cell in model.cells)
    metrics = tuple(axis.metric for axis in model.axes)
    columns = (
        *_BEFORE,
        *levels,
        *_COUNTS,
        *(f"{metric}_{name}" for metric in metrics for name in _OF_METRIC),
        *(f"cpu_{role}_{unit}" for role in SHARES for unit in ("cores", "us_per_txn")),
    )
    aa = outcomes_by_cell({cell.id: _baseline(cell) for cell in model.cells}, model.duplicates)
    rows = (tuple(_row(model, cell, levels, metrics, aa.get(cell.id))) for cell in model.cells)
    return csv_text(columns, rows)


def _baseline(cell: ChartCell) -> str | None:
    return next((found.baseline_id for found in cell.comparisons.values()), None)


def _row(
    model: ChartModel,
    cell: ChartCell,
    levels: tuple[str, ...],
    metrics: tuple[str, ...],
    aa: AaOutcome | None,
) -> Iterator[Value]:
    yield from (model.run_id, cell.id, cell.label, cell.state, cell.reason)
    yield from (cell.is_baseline, cell.is_duplicate, _baseline(cell))
    yield from (cell.levels.get(name) for name in levels)
    yield from (cell.trials_done, cell.trials_failed, cell.trials_planned)
    yield from (cell.evidence.proven, cell.evidence.not_proven, cell.evidence.contradicted)
    yield from (len(cell.invalid), len(cell.contaminated), len(cell.excluded))
    yield from (cell.retakes, cell.decided_at)
    yield from (aa, model.trust)
    for metric in metrics:
        yield from _of_metric(cell, metric)
    shares = {share.role: share for share in cell.cpu}
    for role in SHARES:
        share = shares.get(role)
        yield from (None, None) if share is None else (share.cores, share.us_per_txn)


def _of_metric(cell: ChartCell, metric: str) -> Iterator[Value]:
    summary, found = cell.summaries.get(metric), cell.comparisons.get(metric)
    if summary is None:
        yield from (None,) * 5
    else:
        yield from (summary.n, summary.median, *_ends(summary.interval), summary.cv_percent)
    if found is None:
        yield from (None,) * 11
    else:
        yield from (found.ratio, *_ends(found.interval), found.p, found.p_holm, found.p_adjusted)
        yield from (found.verdict, found.sentence)
        apart = found.difference
        yield from (None,) * 3 if apart is None else (apart.value, *_ends(apart.interval))


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
