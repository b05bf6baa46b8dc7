"""The cost per hop, from neighbouring paths in the same rounds.

Cells that differ in nothing but their path, the engine's settings and the reverse proxy make a group.
Sorted by the number of their hops (then the plan's order), each cell but the first is compared with one of
those before it: the one from which the fewest hops differ, counted as a multiset; then one whose hops it only
adds to, or takes the fewest from; then one with the same settings; then the first in the plan. So the steps
are a tree whose root is the first of the shortest paths. No choice depends on a measured value: if the
cheapest path were the base, every step from it would be biased upwards. Intervals hold 95 % simultaneously
over the steps of one ladder, those of CPU and of throughput each by themselves. The throughput of two cells
that the run compares is that of their comparison, with its family, and not tested again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cells.replicates import paired_series
from backend.core.chart.cells.settings import settings_apart
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.model_base import as_interval
from backend.core.chart.model.sweep_models import HopCost, Ladder, LadderStep
from backend.core.chart.text.hop_cost_sentences import hop_cost_sentence
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import RATES
from backend.core.plan.labels import level_label
from backend.core.statistics.compared_pair import Series
from backend.core.statistics.family import family_differences, family_intervals
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.paired_difference import DifferenceEstimate

CPU: Final = "cpu_us_per_txn"
OF_PATH: Final = tuple(name for name, factor in FACTORS.items() if factor.scope in ("path", "front"))
"""The factors that may differ within a group: those of the path and of the reverse proxy."""
TITLE: Final = "Cost per hop"


Comparisons = Mapping[str, Mapping[str, Comparison]]


@dataclass(frozen=True)
class _Quoted:
    """A comparison of the run; `is_inverse` where the step is from the compared cell to its baseline."""

    comparison: Comparison
    is_inverse: bool


@dataclass(frozen=True)
class _PathCell:
    """A measured cell with its hops and its position in the plan."""

    trials: CellTrials
    hops: tuple[str, ...]
    count: Counter[str]
    position: int

    @property
    def levels(self) -> Mapping[str, Level]:
        return self.trials.cell.levels


def build_ladders(
    cells: Mapping[str, CellTrials],
    hops: Mapping[str, tuple[str, ...]],
    rate: str,
    comparisons: Comparisons,
    analyses: int = 1,
) -> tuple[Ladder, ...]:
    """One ladder for each group of at least two measured cells, in the order of the plan.

    `hops` are each cell's by its id; cells without hops or without a trial that counts, and A/A duplicates,
    are left out. Throughput is the rate of the cells' own tool, `rate` where they name none. `comparisons`
    are those of the run by cell and metric. p and intervals hold over all interim `analyses`.
    """
    measured = [
        _PathCell(trials, hops[id_], Counter(hops[id_]), position)
        for position, (id_, trials) in enumerate(cells.items())
        if id_ in hops and trials.used and not trials.cell.is_duplicate
    ]
    groups: defaultdict[tuple[tuple[str, Level], ...], list[_PathCell]] = defaultdict(list)
    for cell in measured:
        groups[tuple((k, v) for k, v in cell.levels.items() if k not in OF_PATH)].append(cell)
    varied = _varied(groups)
    return tuple(
        _ladder(group, varied, rate, comparisons, analyses) for group in groups.values() if len(group) > 1
    )


def _varied(groups: Iterable[tuple[tuple[str, Level], ...]]) -> tuple[str, ...]:
    """The factors in which the groups differ."""
    found = [dict(group) for group in groups]
    return tuple(name for name in FACTORS if len({levels.get(name) for levels in found}) > 1)


def _ladder(
    group: Sequence[_PathCell], varied: Sequence[str], rate: str, comparisons: Comparisons, analyses: int
) -> Ladder:
    ordered = sorted(group, key=lambda cell: (len(cell.hops), cell.position))
    levels = ordered[0].levels
    own = [level_label(name, levels[name]) for name in varied if name in levels]
    rate = RATES.get(str(levels.get("tool")), rate)
    steps = [(cell, _neighbour(cell, ordered[:place])) for place, cell in enumerate(ordered) if place]
    cpu, throughput = _cpu(steps, analyses), _throughput(steps, rate, comparisons, analyses)
    return Ladder(
        title=f"{TITLE}: {', '.join(own)}" if own else TITLE,
        base_id=ordered[0].trials.cell.id,
        rungs=tuple(
            _ladder_step(cell, other, *costs)
            for (cell, other), *costs in zip(steps, cpu, throughput, strict=True)
        ),
    )


def _neighbour(cell: _PathCell, before: Sequence[_PathCell]) -> _PathCell:
    return min(before, key=lambda other: _distance(cell, other))


def _distance(cell: _PathCell, other: _PathCell) -> tuple[int, int, int, int]:
    """The sort key of a possible neighbour: hops that differ, hops removed, settings, the plan's order."""
    added, removed = (cell.count - other.count).total(), (other.count - cell.count).total()
    settings = sum(cell.levels.get(name) != other.levels.get(name) for name in OF_PATH if name != "path")
    return added + removed, removed, settings, other.position


def _ladder_step(
    cell: _PathCell, other: _PathCell, cpu: HopCost | None, throughput: HopCost | None
) -> LadderStep:
    added, removed = _beyond(cell.hops, other.count), _beyond(other.hops, cell.count)
    return LadderStep(
        cell_id=cell.trials.cell.id,
        from_id=other.trials.cell.id,
        added=added,
        removed=removed,
        cpu=cpu,
        throughput=throughput,
        sentence=hop_cost_sentence(added, removed, _levels_apart(cell, other), cpu, throughput),
    )


def _beyond(hops: Iterable[str], others: Counter[str]) -> tuple[str, ...]:
    """The hops that the other path lacks, in the order of this one."""
    left = Counter(others)
    found = []
    for hop in hops:
        if left[hop]:
            left[hop] -= 1
        else:
            found.append(hop)
    return tuple(found)


def _levels_apart(cell: _PathCell, other: _PathCell) -> tuple[str, str]:
    """The levels in which two cells of a group differ: this one's, the other one's.

    A factor that only one of them has (docker-proxy's program, without docker-proxy) counts only where no
    other factor differs.
    """
    names = [name for name in OF_PATH if cell.levels.get(name) != other.levels.get(name)]
    both = [name for name in names if name in cell.levels and name in other.levels] or names
    here, there = (
        ", ".join(level_label(name, levels[name]) for name in both if name in levels)
        for levels in (cell.levels, other.levels)
    )
    return here, there


def _series(steps: Sequence[tuple[_PathCell, _PathCell]], metric: str) -> tuple[list[Series], list[Series]]:
    """The independent values of both cells of each step: of the neighbours, and of the cells themselves.

    None where their logs have other settings.
    """
    nothing: tuple[Series, Series] = ({}, {})
    found = [
        nothing
        if settings_apart(cell.trials, other.trials)
        else paired_series(cell.trials, other.trials, metric)
        for cell, other in steps
    ]
    return [there for there, _ in found], [here for _, here in found]


def _cpu(steps: Sequence[tuple[_PathCell, _PathCell]], analyses: int) -> list[HopCost | None]:
    """Microseconds of CPU per transaction that each step costs; None where no round has both."""
    others, own = _series(steps, CPU)
    return [
        None if isinstance(found, Undefined) else _cost("µs", found, found.estimate, found.interval, analyses)
        for found in family_differences(others, own, analyses)
    ]


def _throughput(
    steps: Sequence[tuple[_PathCell, _PathCell]], rate: str, comparisons: Comparisons, analyses: int
) -> list[HopCost | None]:
    """Per cent of throughput that each step costs; None where there is no ratio."""
    pairs = [(cell.trials.cell.id, other.trials.cell.id) for cell, other in steps]
    quoted = {ids: found for ids in pairs if (found := _comparison(*ids, rate, comparisons)) is not None}
    others, own = _series([step for step, ids in zip(steps, pairs, strict=True) if ids not in quoted], rate)
    tested = iter(family_intervals(others, own, analyses))
    return [_quote(quoted[ids]) if ids in quoted else _ratio_cost(next(tested), analyses) for ids in pairs]


def _comparison(cell: str, other: str, rate: str, comparisons: Comparisons) -> _Quoted | None:
    """The comparison of two cells by the run, in either direction."""
    for own, base in ((cell, other), (other, cell)):
        found = comparisons.get(own, {}).get(rate)
        if found is not None and found.baseline_id == base:
            return _Quoted(found, own == other)
    return None


def _quote(quoted: _Quoted) -> HopCost | None:
    """The cost of a step as its comparison has it."""
    found = quoted.comparison
    if found.ratio is None or found.p is None:
        return None
    ends = None if found.interval is None else (found.interval.low, found.interval.high)
    ratio = found.ratio
    if quoted.is_inverse:
        ratio, ends = 1 / ratio, ends and (1 / ends[1], 1 / ends[0])
    return HopCost(
        n=found.n,
        unit="%",
        estimate=_change(ratio),
        interval=as_interval(ends and _changes(ends)),
        p=found.p,
        p_adjusted=found.p_adjusted,
        family=found.family,
    )


def _ratio_cost(found: RatioEstimate | Undefined, analyses: int) -> HopCost | None:
    if isinstance(found, Undefined):
        return None
    return _cost("%", found, _change(found.ratio), found.interval and _changes(found.interval), analyses)


def _change(ratio: float) -> float:
    return 100 * (ratio - 1)


def _changes(bounds: Bounds) -> Bounds:
    return _change(bounds[0]), _change(bounds[1])


def _cost(
    unit: str,
    found: DifferenceEstimate | RatioEstimate,
    estimate: float,
    bounds: Bounds | None,
    analyses: int,
) -> HopCost:
    return HopCost(
        n=found.n,
        unit=unit,
        estimate=estimate,
        interval=as_interval(bounds),
        p=min(1.0, analyses * found.p),
        p_adjusted=found.p_adjusted,
        family=found.family,
    )
