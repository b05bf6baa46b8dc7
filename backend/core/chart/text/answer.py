"""The answer of a result: its question's largest difference, or why there is no answer, in one sentence.

It quotes the comparisons of the first metric, one family of tests, and makes no test of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cells.effect_size import effect_size
from backend.core.chart.model.answer_model import Answer, Outcome
from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.chart.text.lost_comparisons import is_lost
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import METRICS, Metric
from backend.core.messages.message import joined, message
from backend.core.plan.labels import cell_label, level_label
from backend.core.statistics.amounts import signed_range
from backend.core.statistics.verdict import (
    VerdictKind,
    changed,
    changed_by,
    is_multiple,
    margin_text,
    percent,
    spread,
)

PROXY: Final = "docker-proxy"
"""The hop of docker-proxy or of the program in its place, and docker-proxy's own name."""
OUTCOMES: Final[dict[VerdictKind, Outcome]] = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equal",
    "different_within_margin": "equal",
}
"""The outcome of a comparison by its verdict; of any other verdict: no answer."""
_ALL_LOST: Final = {
    "failed": "answerAllFailed",
    "invalid": "answerAllInvalid",
    "contaminated": "answerAllContaminated",
    "excluded": "answerAllExcluded",
}
_COUNTS: Final[dict[Outcome, str]] = {
    "worse": "answerCountWorse",
    "better": "answerCountBetter",
    "equal": "answerCountEqual",
    "no_answer": "answerCountNone",
}
"""The outcomes in the order in which their numbers are named."""


@dataclass(frozen=True)
class CellComparison:
    """A cell with its comparison of the first metric, and the cell that it is compared with."""

    cell: ChartCell
    comparison: Comparison
    other: ChartCell

    @property
    def outcome(self) -> Outcome:
        """How it came out."""
        return OUTCOMES.get(self.comparison.verdict, "no_answer")

    @property
    def factors_apart(self) -> frozenset[str]:
        """The factors in which the two cells differ."""
        mine, theirs = self.cell.levels, self.other.levels
        return frozenset(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))


def answer(experiment: Experiment, varied: Sequence[str], cells: Sequence[ChartCell], ended: bool) -> Answer:
    """The answer of a result. `varied` are the factors that differ among the cells."""
    metric, by_id = METRICS[experiment.metrics[0]], {cell.id: cell for cell in cells}
    compared = [
        CellComparison(cell, found, by_id[found.baseline_id])
        for cell in cells
        if not cell.is_duplicate and (found := cell.comparisons.get(metric.name)) is not None
    ]
    clear = [pair for pair in compared if pair.outcome in ("better", "worse")]
    quoted = max(clear, key=lambda pair: effect_size(pair.comparison)) if clear else None
    outcomes = [pair.outcome for pair in compared]
    lost = sum(is_lost(pair.cell, pair.other, pair.comparison) for pair in compared)
    factor = _factor(experiment, varied)
    all_equal = bool(outcomes) and set(outcomes) == {"equal"}
    none = (
        _all_equal(metric, experiment, len(outcomes))
        if all_equal
        else _none(metric, cells, compared, lost, ended)
    )
    return Answer(
        question="baseline" if factor is None else "each",
        factor=factor,
        metric=metric.name,
        outcome=quoted.outcome if quoted else "equal" if all_equal else "no_answer",
        sentence=_sentence(quoted, metric, varied) if quoted else none,
        detail=_detail(quoted, metric, outcomes),
        cell_id=quoted.cell.id if quoted else None,
        worse=outcomes.count("worse"),
        better=outcomes.count("better"),
        equal=outcomes.count("equal"),
        no_answer=outcomes.count("no_answer"),
        lost=lost,
    )


def _factor(experiment: Experiment, varied: Sequence[str]) -> str | None:
    """The one varied factor in which compared cells differ; None where they differ in more."""
    factors = [name for name in experiment.baseline if name in varied]
    return experiment.compare or (factors[0] if len(factors) == 1 else None)


def _sentence(pair: CellComparison, metric: Metric, varied: Sequence[str]) -> str:
    """What differs, by how much, and where: only levels in which the two cells differ name them."""
    cell, found, is_rate = pair.cell, pair.comparison, metric.comparatives[0] == "faster"
    shared = [name for name in varied if name not in pair.factors_apart]
    if is_rate and found.ratio is not None and not is_multiple(found.ratio) and _is_cost_of_proxy(pair):
        id_ = "answerProxyCosts" if found.ratio < 1 else "answerProxyGains"
        program = str(cell.levels.get("proxy_program", PROXY))
        size = percent(found.ratio).lstrip("+−")
        return message(id_, proxy=program, size=size, where=cell_label(cell.levels, shared))
    mine, theirs = (_name(one, pair.factors_apart, varied) for one in (cell, pair.other))
    if found.difference is not None:
        change = changed_by(metric, found.difference.value, None, theirs)
    else:
        change = changed(metric, found.ratio or 1.0, None, theirs)
    if is_rate:
        sentence = message("verdictChange", label=mine, change=change)
    else:
        sentence = message("answerMetric", metric=metric.title, label=mine, change=change)
    where = ", ".join(level_label(name, cell.levels[name]) for name in shared if name in cell.levels)
    return message("answerWhere", sentence=sentence, where=where) if where else sentence


def _name(cell: ChartCell, apart: frozenset[str], varied: Sequence[str]) -> str:
    """A cell by the levels in which it differs from the other one; by its label where it has none of them."""
    names = [name for name in varied if name in apart and name in cell.levels]
    return cell_label(cell.levels, names) if names else cell.label


def _is_cost_of_proxy(pair: CellComparison) -> bool:
    """Whether the cells differ in a program that relays the port, and in nothing else."""
    mine, theirs = pair.cell.levels, pair.other.levels
    return (
        pair.factors_apart <= {"userland_proxy", "proxy_program"}
        and mine.get("userland_proxy") is True
        and theirs.get("userland_proxy") is False
        and PROXY in pair.cell.hops
    )


def _all_equal(metric: Metric, experiment: Experiment, count: int) -> str:
    return message("answerEqual", metric=metric.title, margin=margin_text(experiment.margin), count=count)


def _none(
    metric: Metric, cells: Sequence[ChartCell], compared: Sequence[CellComparison], lost: int, ended: bool
) -> str:
    done, planned = sum(c.trials_done for c in cells), sum(c.trials_planned for c in cells)
    if not ended:
        return message("answerNotYet", done=done, planned=planned)
    if not compared:
        return message("answerNothing", done=done, planned=planned)
    kinds = [pair.comparison.verdict for pair in compared]
    if lost:
        return _lost(cells, lost, len(kinds))
    if set(kinds) == {"not_enough_rounds"}:
        return message("answerTooFew", metric=metric.title)
    open_ = sum(pair.outcome == "no_answer" for pair in compared)
    return message("answerNone", metric=metric.title, n=open_, count=len(kinds))


def _lost(cells: Sequence[ChartCell], lost: int, of: int) -> str:
    """How many comparisons are lost; where no cell has figures, all for one reason, this reason."""
    states = {cell.state for cell in cells}
    reason = _ALL_LOST.get(states.pop()) if len(states) == 1 else None
    return message("answerLost", lost=lost, of=of) if reason is None else message(reason)


def _detail(pair: CellComparison | None, metric: Metric, outcomes: Sequence[Outcome]) -> str | None:
    """The interval of the quoted comparison, and how all came out where there are several."""
    own = _interval(pair.comparison, metric) if pair else None
    if len(outcomes) < 2:
        return own
    counts = ((id_, outcomes.count(kind)) for kind, id_ in _COUNTS.items())
    all_ = joined((message(id_, n=number) for id_, number in counts if number), "comma")
    return message("semicolon", first=own, second=all_) if own else all_


def _interval(found: Comparison, metric: Metric) -> str | None:
    interval = found.interval if found.difference is None else found.difference.interval
    if interval is None:
        return None
    ends = (interval.low, interval.high)
    text = spread(ends) if found.difference is None else signed_range(ends, metric.unit)
    return message("comma", first=text, second=message("rounds", count=found.n))
