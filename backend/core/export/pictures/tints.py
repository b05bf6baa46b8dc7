"""The backgrounds of a heat map: by the ratio to the baseline, or by the value where nothing is compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.chart.model.cell_models import Axis, Comparison
from backend.core.export.colours import Theme, mixed
from backend.core.export.pictures.pivot import Entry
from backend.core.messages.message import message

_WEAK, _STRONG = 0.08, 0.34
"""Share of the colour in the weakest and the strongest tint: text on it stays readable."""

_GREY = 0.6


@dataclass(frozen=True)
class Tints:
    """What a background means: the scale of all entries together, so that panels compare."""

    axis: Axis
    colours: Theme
    compared: bool
    largest: float
    """The largest |ln ratio| of those that are shown to differ."""
    low: float
    high: float

    @classmethod
    def of(cls, entries: Sequence[Entry], axis: Axis, colours: Theme) -> Tints:
        compared = any((c := e.comparison) and (c.ratio or c.difference) for e in entries)
        moved = [abs(math.log(c.ratio)) for e in entries if (c := e.comparison) and c.ratio and _shown(c)]
        medians = [s.median for e in entries if (s := e.summary) and s.median is not None]
        ends = (min(medians, default=0.0), max(medians, default=0.0))
        return cls(axis, colours, compared, max(moved, default=0.0), *ends)

    def key(self) -> str:
        """What the colours mean, in words."""
        if not self.compared:
            return message("pictureTintMedian")
        return message("pictureTintRatio")

    def of_entry(self, entry: Entry) -> str:
        """The background of one entry, "#rrggbb"."""
        summary, comparison, colours = entry.summary, entry.comparison, self.colours
        if summary is None or summary.median is None:
            return colours.background
        if not self.compared:
            span = self.high - self.low
            return self._tint(0, (summary.median - self.low) / span if span > 0 else 0.0)
        if entry.cell.is_baseline or comparison is None or not (comparison.ratio or comparison.difference):
            return colours.background
        if not _shown(comparison):
            return mixed(colours.line, colours.background, _GREY)
        if not comparison.ratio:
            # A difference from or to zero is beyond every ratio.
            return self._tint(0 if comparison.verdict == "better" else 1, 1.0)
        better = (comparison.ratio > 1) == (self.axis.better == "higher")
        strength = abs(math.log(comparison.ratio)) / self.largest if self.largest else 0.0
        return self._tint(0 if better else 1, strength)

    def _tint(self, series: int, strength: float) -> str:
        share = _WEAK + (_STRONG - _WEAK) * strength
        return mixed(self.colours.series[series], self.colours.background, share)


def _shown(comparison: Comparison) -> bool:
    """Whether the verdict, which is corrected for all comparisons, is a difference."""
    return comparison.verdict in ("better", "worse", "different_within_margin")
