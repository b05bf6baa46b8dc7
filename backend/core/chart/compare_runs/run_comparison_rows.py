"""The table of one metric where two runs are compared: rows with their verdicts, and a headline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate, as_difference
from backend.core.chart.cells.summaries import interval_of
from backend.core.chart.compare_runs.compared_cells import ComparedCell
from backend.core.chart.compare_runs.matching import Match
from backend.core.chart.compare_runs.own_ratios import OwnRatios
from backend.core.chart.compare_runs.run_comparison_model import (
    RunComparisonCell,
    RunComparisonRow,
    RunComparisonTable,
)
from backend.core.chart.compare_runs.run_comparison_ratios import TableInput, ratios_of
from backend.core.chart.model.axes import decimals
from backend.core.chart.model.model_base import as_interval
from backend.core.definition.metrics import Metric
from backend.core.messages.message import joined, message
from backend.core.statistics.amounts import signed_range
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.median import median_interval
from backend.core.statistics.ratio_estimate import RatioEstimate
from backend.core.statistics.verdict import Verdict, spread

_COUNTS = {
    "faster": "countFaster",
    "slower": "countSlower",
    "higher": "countHigher",
    "lower": "countLower",
}


def build_table(table: TableInput, matches: Sequence[Match]) -> RunComparisonTable:
    """Every match as a row; with the basis "ratios" a baseline has none: over itself it is 1."""
    metric = table.metric
    shown = [match for match in matches if yields(match.sides, metric) and not _drops_out(table, match)]
    between_runs = table.spread()
    ratios = ratios_of(table, shown, between_runs)
    rows = tuple(_row(table, match, ratio) for match, ratio in zip(shown, ratios, strict=True))
    sides = [side for row in rows for side in (row.a, row.b) if side is not None]
    top = max((side.median for side in sides if side.median is not None), default=0.0)
    return RunComparisonTable(
        metric=metric.name,
        label=metric.label,
        unit=metric.unit,
        better=metric.better,
        decimals=decimals(sides, top),
        headline=headline(metric, rows),
        run_spread=None if between_runs is None else between_runs.shown,
        rows=rows,
    )


def headline(metric: Metric, rows: Sequence[RunComparisonRow]) -> str:
    """How many rows came out how: "2 slower, 1 equivalent, 3 undecided"."""
    kinds = Counter(row.verdict for row in rows if row.verdict is not None)
    more, less = metric.comparatives
    best, worst = (more, less) if metric.better == "higher" else (less, more)
    within = kinds["equivalent"] + kinds["different_within_margin"]
    decided = kinds["better"] + kinds["worse"] + within
    counts = (
        (kinds["worse"], _COUNTS[worst]),
        (kinds["better"], _COUNTS[best]),
        (within, "countEquivalent"),
        (kinds.total() - decided, "countUndecided"),
        (sum(row.b is None for row in rows), "countInA"),
        (sum(row.a is None for row in rows), "countInB"),
    )
    found = joined((message(id_, n=str(number)) for number, id_ in counts if number), "comma")
    return found or message("nothingToCompare")


def yields(sides: Sequence[ComparedCell], metric: Metric) -> bool:
    """Whether the metric applies to all of these cells."""
    return all(metric.applies(side.cell.levels) for side in sides)


def _drops_out(table: TableInput, match: Match) -> bool:
    return table.basis == "ratios" and match.is_baseline


def _row(table: TableInput, match: Match, ratio: CorrectedEstimate | None) -> RunComparisonRow:
    judged = None if ratio is None else verdict_of(table, ratio)
    return RunComparisonRow(
        label=match.label,
        levels=match.levels,
        is_baseline=match.is_baseline,
        a=None if match.a is None else side_of(match.a, table.metric, table.own_a),
        b=None if match.b is None else side_of(match.b, table.metric, table.own_b),
        **(ratio or CorrectedEstimate(None)).fields(table.metric.unit),
        method=table.method_of(ratio),
        verdict=judged.kind if judged else None,
        sentence=judged.sentence
        if judged
        else message("onlyOneHasCell", name="A" if match.b is None else "B"),
    )


def verdict_of(table: TableInput, ratio: CorrectedEstimate) -> Verdict:
    """The verdict on one ratio; one without an adjusted p is not judged."""
    found = ratio.estimate
    if found is not None and found.interval is not None and found.p_adjusted is None:
        return _not_judged(found, table.metric)
    return ratio.verdict(table.metric, table.subject_of(found), table.margin)


def _not_judged(found: Estimate, metric: Metric) -> Verdict:
    """The verdict on two single runs where the spread between runs is not known."""
    if found.interval is None:
        return Verdict("no_difference_shown", message("notJudged"))
    of_difference = isinstance(found, DifferenceEstimate)
    within = signed_range(found.interval, metric.unit) if of_difference else spread(found.interval)
    return Verdict("no_difference_shown", message("notJudgedWithin", range=within))


def side_of(compared: ComparedCell, metric: Metric, ratios: OwnRatios) -> RunComparisonCell:
    """One cell by itself: its median, and the ratio to its own run's baseline, one of `ratios`."""
    values = list(compared.values(metric.name).values())
    centre = median_interval(values) if values else None
    own = ratios.get(compared.cell.id)
    ratio = own if isinstance(own, RatioEstimate) else None
    return RunComparisonCell(
        cell_id=compared.cell.id,
        n=len(values),
        median=None if centre is None else centre.median,
        interval=None if centre is None else interval_of(centre.low, centre.high),
        ratio=None if ratio is None else ratio.ratio,
        ratio_interval=None if ratio is None else as_interval(ratio.interval),
        difference=as_difference(own, metric.unit) if isinstance(own, DifferenceEstimate) else None,
    )
