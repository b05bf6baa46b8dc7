"""The ChartModel of a very large run, reduced to a size that can be sent and drawn."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from backend.core.chart.model.cell_models import ChartCell, Comparison, Summary
from backend.core.chart.model.chart_model import ChartModel, Reduced
from backend.core.chart.model.sweep_models import Ladder
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import joined, message

MOST_FIGURES: Final = 50_000
"""About 300 kB of gzipped JSON; a run of 250 cells, 10 rounds and 6 metrics has 34,000."""
MOST_STEPS: Final = 100
"""A reduced model keeps its first ladders while they have no more steps together."""
DIGITS: Final = 4
"""A twentieth of a per cent at worst: as fine as anything is drawn or written."""
_BESIDE_VALUES: Final = 10
"""Figures of one metric of one cell other than its values: median, ratio, p, their intervals."""
_CPU: Final = 16
"""Figures of one cell's CPU: cores and microseconds of eight parts."""


def figures(model: ChartModel) -> int:
    """How many numbers the cells of a model hold, about."""
    rounds = max((len(cell.rounds) for cell in model.cells), default=0)
    return len(model.cells) * (len(model.axes) * (rounds + _BESIDE_VALUES) + _CPU)


def limit_size(model: ChartModel) -> ChartModel:
    """The model without the values of its later metrics if it has too many figures; else the model itself."""
    if figures(model) <= MOST_FIGURES:
        return model
    later = tuple(axis.metric for axis in model.axes[1:])
    ladders = _first(model.ladders)
    limits = Reduced(
        digits=DIGITS,
        without_values=later,
        ladders_left_out=len(model.ladders) - len(ladders),
        sentence="",
    )
    limits = Reduced.model_validate({**limits.model_dump(), "sentence": _sentence(model, limits)})
    cells = tuple(_without(cell, later) for cell in model.cells)
    return model.model_copy(update={"cells": cells, "ladders": ladders, "reduced": limits})


def _first(ladders: tuple[Ladder, ...]) -> tuple[Ladder, ...]:
    """The first ladders with at most MOST_STEPS steps together, and always one."""
    steps = accumulate(len(ladder.rungs) for ladder in ladders)
    kept = sum(total <= MOST_STEPS for total in steps)
    return ladders[: max(1, kept)]


def _sentence(model: ChartModel, limits: Reduced) -> str:
    parts = [message("tooLargeDigits", n=limits.digits)]
    if limits.without_values:
        parts.append(message("tooLargeValues", metric=METRICS[model.axes[0].metric].title))
    if limits.ladders_left_out:
        n = limits.ladders_left_out
        parts.append(message("tooLargeLadders", n=n, of=len(model.ladders)))
    return message("tooLarge", parts=joined(parts, "comma"))


def _without(cell: ChartCell, metrics: tuple[str, ...]) -> ChartCell:
    """The cell without values, variation, equivalence and unadjusted intervals of these metrics."""
    return cell.model_copy(
        update={
            "summaries": {
                metric: _summary(found) if metric in metrics else found
                for metric, found in cell.summaries.items()
            },
            "comparisons": {
                metric: _comparison(found) if metric in metrics else found
                for metric, found in cell.comparisons.items()
            },
        }
    )


def _summary(summary: Summary) -> Summary:
    return summary.model_copy(update={"values": (), "cv_percent": None})


def _comparison(comparison: Comparison) -> Comparison:
    return comparison.model_copy(update={"interval_90": None, "interval_unadjusted": None})
