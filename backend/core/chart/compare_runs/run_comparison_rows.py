"""The rows of one metric where two runs are compared: estimates, one family a metric, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from backend.core.chart.cells.pairing import NOT_COMPARABLE, pair
from backend.core.chart.cells.summaries import summarise
from backend.core.chart.cells.trials import Cells, CellTrials
from backend.core.chart.compare_runs.matching import Match
from backend.core.chart.compare_runs.run_comparison_model import (
    Basis,
    RunComparisonCell,
    RunComparisonRow,
    RunComparisonTable,
)
from backend.core.chart.compare_runs.run_history import Shown, shown_spread
from backend.core.chart.model.axes import decimals
from backend.core.chart.model.model_base import as_interval
from backend.core.definition.metrics import Metric
from backend.core.plan.power import ALPHA, smallest_p
from backend.core.statistics import paired, unpaired
from backend.core.statistics.between_runs import widened
from backend.core.statistics.paired import RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.unpaired import smallest_p_unpaired, unpaired_ratio
from backend.core.statistics.verdict import Verdict, spread, undefined, verdict

_OVER_BASELINE: Final = "each value over its own run's baseline in the same round; "
_MOST_ROUNDS: Final = 60


@dataclass(frozen=True)
class Question:
    """What one table answers: a metric of the cells of two runs, on a basis.

    `paired`: two cells of one run, compared by round. `looks_a` and `looks_b` are those of the runs, 1 for
    a run whose rounds were fixed. `others_a` and `others_b` are further runs of the cells on the hosts of
    the two, which show what single runs differ by; `others_b` is None where both are of one host.
    """

    metric: Metric
    basis: Basis
    a: Cells
    b: Cells
    paired: bool
    margin: float
    looks_a: int
    looks_b: int
    others_a: tuple[Cells, ...] = ()
    others_b: tuple[Cells, ...] | None = ()

    @property
    def looks(self) -> int:
        """By how much p is corrected for looks: samples of two runs are tested once."""
        return self.looks_a if self.paired else 1

    @property
    def subject(self) -> str:
        """Who is said to be faster or slower."""
        return "B over its own baseline" if self.basis == "ratios" else "B"

    @property
    def method(self) -> str:
        """How the rows are compared."""
        return (_OVER_BASELINE if self.basis == "ratios" else "") + (
            paired.METHOD if self.paired else unpaired.METHOD
        )


@dataclass(frozen=True)
class Outcome:
    """What comes of one row: no estimate where no ratio exists, no verdict where one run has no such cell."""

    found: RatioEstimate | None
    judged: Verdict | None


def build_table(question: Question, matches: Sequence[Match]) -> RunComparisonTable:
    """Every match as a row; with the basis "ratios" a baseline has none: over itself it is 1."""
    metric = question.metric
    shown = [match for match in matches if _yields(match, metric) and not _drops_out(question, match)]
    spread_shown = None if question.paired else _spread_between_runs(question)
    rows = tuple(map(partial(_row, question), shown, _outcomes(question, shown, spread_shown)))
    summaries = [summarise(side, metric.name) for match in shown for side in match.sides]
    top = max((s.median for s in summaries if s.median is not None), default=0.0)
    return RunComparisonTable(
        metric=metric.name,
        label=metric.label,
        unit=metric.unit,
        better=metric.better,
        decimals=decimals(summaries, top),
        headline=headline(metric, rows),
        run_spread=None if spread_shown is None else spread_shown.told,
        rows=rows,
    )


def _outcomes(question: Question, matches: Sequence[Match], shown: Shown | None) -> list[Outcome]:
    """The rows that both runs have are one family; two runs are judged by what runs differ by (`shown`)."""
    samples: dict[int, tuple[Mapping[int, float], Mapping[int, float]]] = {}
    outcomes = [Outcome(None, None) for _ in matches]
    for index, match in enumerate(matches):
        if match.a is None or match.b is None:
            continue
        try:
            ours = _values(question, match.a, question.a, "A")
            theirs = _values(question, match.b, question.b, "B")
            _estimate(question, ours, theirs, 1)
            samples[index] = ours, theirs
        except Undefined as reason:
            outcomes[index] = Outcome(None, undefined(str(reason)))
    needed = _needed(question, len(samples))
    for index, (ours, theirs) in samples.items():
        found = _estimate(question, ours, theirs, len(samples))
        if found.interval is None:
            outcomes[index] = Outcome(
                found, verdict(question.metric, question.subject, found, 1.0, question.margin, needed)
            )
        elif shown is not None and shown.difference is None:
            outcomes[index] = Outcome(replace(found, p_adjusted=None), _not_judged(found))
        else:
            wide = found if shown is None or shown.difference is None else widened(found, *shown.difference)
            p = 1.0 if wide.p_adjusted is None else wide.p_adjusted
            outcomes[index] = Outcome(
                wide, verdict(question.metric, question.subject, wide, p, question.margin, None)
            )
    return outcomes


def _not_judged(found: RatioEstimate) -> Verdict:
    """What two single runs say of a difference where it is not known by how much any two runs differ."""
    within = "" if found.interval is None else f" (within these two runs {spread(found.interval)})"
    return Verdict(
        "no_difference_shown",
        f"Not judged: no spread between runs has been shown here{within}; a third run is needed",
    )


def headline(metric: Metric, rows: Sequence[RunComparisonRow]) -> str:
    """How many rows came out how: "2 slower, 1 equivalent, 3 undecided"."""
    kinds = Counter(row.verdict for row in rows if row.verdict is not None)
    more, less = metric.comparatives
    best, worst = (more, less) if metric.better == "higher" else (less, more)
    within = kinds["equivalent"] + kinds["different_within_margin"]
    decided = kinds["better"] + kinds["worse"] + within
    counts = (
        (kinds["worse"], worst),
        (kinds["better"], best),
        (within, "equivalent"),
        (kinds.total() - decided, "undecided"),
        (sum(row.b is None for row in rows), "in A only"),
        (sum(row.a is None for row in rows), "in B only"),
    )
    return ", ".join(f"{number} {word}" for number, word in counts if number) or "nothing to compare"


def _yields(match: Match, metric: Metric) -> bool:
    return all(metric.applies(side.cell.levels) for side in match.sides)


def _drops_out(question: Question, match: Match) -> bool:
    return question.basis == "ratios" and match.is_baseline


def _estimate(
    question: Question, a: Mapping[int, float], b: Mapping[int, float], family: int
) -> RatioEstimate:
    """The ratio b ÷ a of values by round, as one of a family; raises Undefined."""
    if question.paired:
        rounds = sorted(a.keys() & b.keys())
        found = paired_ratio([a[r] for r in rounds], [b[r] for r in rounds], question.looks)
        return replace(found, p_adjusted=min(1.0, question.looks * found.p))
    return unpaired_ratio(list(a.values()), list(b.values()), family)


def _spread_between_runs(question: Question) -> Shown:
    def values(trials: CellTrials, cells: Cells) -> Mapping[int, float]:
        return _values(question, trials, cells, "")

    return shown_spread(question.a, question.others_a, question.b, question.others_b, values)


def _needed(question: Question, comparisons: int) -> int:
    """The rounds of each run with which a family of this many could have a significant member."""
    least = smallest_p if question.paired else smallest_p_unpaired
    family = comparisons * question.looks
    return next((n for n in range(1, _MOST_ROUNDS) if family * least(n) <= ALPHA), _MOST_ROUNDS)


def _values(question: Question, trials: CellTrials, cells: Cells, who: str) -> Mapping[int, float]:
    """What is compared, by round: the metric itself, or its ratio to the run's own baseline."""
    name = question.metric.name
    found = _own(trials, name, who)
    if question.basis == "values":
        return found
    if trials.cell.baseline_id is None:
        raise Undefined(f"{who}: a baseline has no ratio to itself")
    base = _own(cells[trials.cell.baseline_id], name, f"{who}, its baseline")
    rounds = sorted(found.keys() & base.keys())
    if not rounds:
        raise Undefined(f"{who}: no round has the cell and its baseline")
    if any(base[r] == 0 for r in rounds):
        raise Undefined(f"{who}: a value of the baseline is zero")
    return {r: found[r] / base[r] for r in rounds}


def _own(trials: CellTrials, metric: str, who: str) -> Mapping[int, float]:
    """The values that count, never none."""
    if trials.cell.infeasible is not None:
        raise Undefined(f"{who}: {trials.cell.infeasible}")
    if not trials.used:
        raise Undefined(f"{who}: {NOT_COMPARABLE.get(trials.state, 'no trial counts')}")
    values = trials.values(metric)
    if not values:
        raise Undefined(f"{who}: no trial yielded {metric}")
    return values


def _row(question: Question, match: Match, outcome: Outcome) -> RunComparisonRow:
    found, judged = outcome.found, outcome.judged
    return RunComparisonRow(
        label=match.label,
        levels=match.levels,
        is_baseline=match.is_baseline,
        a=None if match.a is None else _side(match.a, question.a, question.metric.name, question.looks_a),
        b=None if match.b is None else _side(match.b, question.b, question.metric.name, question.looks_b),
        n=0 if found is None else found.n,
        ratio=None if found is None else found.ratio,
        interval=None if found is None else as_interval(found.interval),
        interval_90=None if found is None else as_interval(found.interval_90),
        p=None if found is None else found.p,
        p_holm=None if found is None else found.p_adjusted,
        p_adjusted=None if found is None else found.p_adjusted,
        family=1 if found is None else found.family,
        interval_unadjusted=None if found is None else as_interval(found.interval_unadjusted),
        method=question.method,
        verdict=judged.kind if judged else None,
        sentence=judged.sentence if judged else f"Only {'A' if match.b is None else 'B'} has this cell.",
    )


def _side(trials: CellTrials, cells: Cells, metric: str, looks: int) -> RunComparisonCell:
    """One cell by itself: its median, and the paired ratio to its own run's baseline."""
    summary, ratio = summarise(trials, metric), None
    if trials.cell.baseline_id is not None:
        with suppress(Undefined):
            ratio = pair(trials, cells, metric, looks)
    return RunComparisonCell(
        cell_id=trials.cell.id,
        n=summary.n,
        median=summary.median,
        interval=summary.interval,
        ratio=None if ratio is None else ratio.ratio,
        ratio_interval=None if ratio is None else as_interval(ratio.interval),
    )
