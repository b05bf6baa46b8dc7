"""The verdict of a whole run in a few figures: what lists of runs show of a result.

It repeats figures of the ChartModel and computes no statistic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import model_validator

from backend.core.chart.build_cells import WITHOUT_FIGURES
from backend.core.chart.cells.effect_size import EffectSize, effect_size
from backend.core.chart.model.answer_model import Answer
from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.chart.model.chart_model import ChartModel, VerdictCounts
from backend.core.chart.model.model_base import Difference, Part
from backend.core.chart.text.lost_comparisons import why_without_ratio
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.statistics.verdict import VerdictKind

MAX_CELLS: Final = 12
RunVerdictKind = Literal["worse", "better", "mixed", "equivalent", "undecided", "no_comparison", "failed"]
_CLEAR: Final = ("better", "worse")


class VerdictCell(Part):
    """One cell against its baseline in the first metric: the figures of its comparison.

    `ratio` is cell ÷ baseline, `low` and `high` its 95 % simultaneous interval; null where there is none.
    `difference` is compared where there is no ratio because a value is zero.
    """

    cell_id: str
    label: str
    path: str | None
    path_title: str
    verdict: VerdictKind
    ratio: float | None
    low: float | None
    high: float | None
    difference: Difference | None = None


class RunVerdict(Part, WithMessages):
    """What a run found in its first metric.

    `kind`: cells are worse, better, or some of each (mixed); else all comparisons are equivalent, or at least
    one is undecided; `no_comparison` where none can be made, `failed` if moreover no cell has figures.
    `largest` is the clear difference that the answer quotes: the largest in ln(ratio), or from or to zero.
    `cells` are the first 12 of `compared` comparisons, that one first, then clear and large differences. Of
    them all, `without_ratio` could not be compared, by ratio or difference, most often for this `reason`;
    `lost` are these and those of which trials are missing, so that too few rounds are left. `answered`: the
    outcome of the answer is worse, better or equal. `threshold` is the outcome of the run's thresholds,
    `suspect` whether the A/A check qualifies the figures. `answer` is null where an older release kept the
    verdict.
    """

    kind: RunVerdictKind
    metric: str
    metric_label: str
    better: Literal["higher", "lower"]
    margin: float
    counts: VerdictCounts
    baseline: str | None
    largest: VerdictCell | None
    compared: int
    cells: tuple[VerdictCell, ...]
    threshold: str | None
    suspect: bool
    without_ratio: int = 0
    lost: int = 0
    answered: bool = False
    reason: Sentence | None = None
    reason_message: MessageParts | None = None
    answer: Answer | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_releases(cls, data: Any) -> Any:
        """Complete verdicts that were kept before `without_ratio`, `lost` or `answered` existed.

        Before the first, they were equivalent where no comparison had a ratio.
        """
        if not isinstance(data, Mapping):
            return data
        found = dict(data)
        if "without_ratio" not in found and found.get("kind") == "equivalent":
            equal = found["counts"]["equivalent"]
            found["without_ratio"] = found["compared"] - equal
            found["kind"] = "equivalent" if equal else "no_comparison"
        found.setdefault("lost", found.get("without_ratio", 0))
        if "answered" not in found and {"kind", "compared"} <= found.keys():
            equal = found["kind"] == "equivalent" and found["counts"]["equivalent"] == found["compared"]
            found["answered"] = equal or found["kind"] in ("worse", "better", "mixed")
        return found

    def terms(self) -> tuple[str, ...]:
        """The values of `verdict:` by which a search finds the run."""
        counts = self.counts
        return tuple(
            name
            for name, found in (
                ("better", counts.better),
                ("worse", counts.worse),
                ("equal", counts.equivalent),
                ("no-answer", counts.undecided),
                ("failed", counts.failed),
                ("suspect", self.suspect),
                ("threshold-failed", self.threshold == "fail"),
            )
            if found
        )


def run_verdict(chart: ChartModel) -> RunVerdict:
    """The verdict of a result."""
    axis = chart.axes[0]
    compared = [
        (cell, cell.comparisons[axis.metric])
        for cell in chart.cells
        if axis.metric in cell.comparisons and not cell.is_duplicate
    ]
    quoted = None if chart.answer is None else chart.answer.cell_id
    compared.sort(key=lambda pair: _rank(pair, quoted), reverse=True)
    cells = tuple(_cell(cell, comparison) for cell, comparison in compared)
    first = cells[0] if cells else None
    labels = {cell.id: cell.label for cell in chart.cells}
    without_ratio = sum(comparison.verdict == "undefined" for _, comparison in compared)
    kind = _kind(chart.counts, len(cells) - without_ratio, any(map(_has_figures, chart.cells)))
    return RunVerdict(
        kind=kind,
        metric=axis.metric,
        metric_label=axis.label,
        better=axis.better,
        margin=chart.margin,
        counts=chart.counts,
        baseline=labels.get(compared[0][1].baseline_id) if compared else None,
        largest=first if first is not None and first.verdict in _CLEAR else None,
        compared=len(cells),
        cells=cells[:MAX_CELLS],
        threshold=None if chart.gate is None else chart.gate.outcome,
        suspect=any(check.suspect for check in chart.duplicates),
        without_ratio=without_ratio,
        lost=without_ratio if chart.answer is None else chart.answer.lost,
        answered=kind in ("worse", "better", "mixed", "equivalent"),
        reason=why_without_ratio(comparison for _, comparison in compared),
        answer=chart.answer,
    )


def _rank(pair: tuple[ChartCell, Comparison], quoted: str | None) -> tuple[bool, bool, EffectSize]:
    """Sorts descending: the comparison that the answer quotes, then clear differences, then large ones.

    Figures of a model are rounded, so that two of them can be equal that were not when one was quoted.
    """
    return pair[0].id == quoted, pair[1].verdict in _CLEAR, effect_size(pair[1])


def _cell(cell: ChartCell, comparison: Comparison) -> VerdictCell:
    path = cell.levels.get("path")
    interval = comparison.interval
    return VerdictCell(
        cell_id=cell.id,
        label=cell.label,
        path=None if path is None else str(path),
        path_title=cell.path_title,
        verdict=comparison.verdict,
        ratio=comparison.ratio,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        difference=comparison.difference,
    )


def _has_figures(cell: ChartCell) -> bool:
    return cell.trials_done > 0 and cell.state not in WITHOUT_FIGURES


def _kind(counts: VerdictCounts, with_ratio: int, measured: bool) -> RunVerdictKind:
    if counts.better and counts.worse:
        return "mixed"
    if counts.better or counts.worse:
        return "better" if counts.better else "worse"
    if not with_ratio:
        return "no_comparison" if measured else "failed"
    return "undecided" if counts.undecided else "equivalent"
