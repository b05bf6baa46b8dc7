"""The price of each hop, from neighbouring paths in the same rounds.

Cells that differ in nothing but their path, the engine's settings and the program in front make a group.
Sorted by the number of their hops (then the plan's order), each cell but the first is held against one of
those before it: the one from which the fewest hops differ, counted as a multiset; then one whose hops it only
adds to, or takes the fewest from; then one with the same settings; then the first in the plan. So the rungs
are a tree whose root is the first of the shortest paths. No choice looks at a measured value: a base that was
chosen as the cheapest would make every step from it look dear. Intervals hold 95 % simultaneously over the
steps of one ladder, those of CPU and of throughput each by themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cells.replicates import paired_series
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.sweep_models import HopCost, Ladder, LadderStep
from backend.core.chart.text.hop_cost_sentences import rung_sentence
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import RATES
from backend.core.plan.labels import level_label
from backend.core.statistics.family import Series, family_differences, family_intervals
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.paired_difference import DifferenceEstimate

CPU: Final = "cpu_us_per_txn"
OF_PATH: Final = tuple(name for name, factor in FACTORS.items() if factor.scope in ("path", "front"))
"""What may differ within a group: the path and everything that belongs to it."""
TITLE: Final = "Price of each hop"


@dataclass(frozen=True)
class _Step:
    """A measured cell with its hops and its place in the plan."""

    trials: CellTrials
    hops: tuple[str, ...]
    count: Counter[str]
    place: int

    @property
    def levels(self) -> Mapping[str, Level]:
        return self.trials.cell.levels


def build_ladders(
    cells: Mapping[str, CellTrials], hops: Mapping[str, tuple[str, ...]], rate: str, looks: int = 1
) -> tuple[Ladder, ...]:
    """One ladder for each group of at least two measured cells, in the order of the plan.

    `hops` are each cell's by its id; a cell without any, an A/A duplicate and one without a trial that
    counts take no part. Throughput is the rate of the cells' own tool, `rate` where they name none. Of a run
    with several interim analyses, p and intervals hold over all `looks`.
    """
    steps = [
        _Step(trials, hops[id_], Counter(hops[id_]), place)
        for place, (id_, trials) in enumerate(cells.items())
        if id_ in hops and trials.used and not trials.cell.is_duplicate
    ]
    groups: defaultdict[tuple[tuple[str, Level], ...], list[_Step]] = defaultdict(list)
    for step in steps:
        groups[tuple((k, v) for k, v in step.levels.items() if k not in OF_PATH)].append(step)
    varied = _varied(groups)
    return tuple(_ladder(group, varied, rate, looks) for group in groups.values() if len(group) > 1)


def _varied(groups: Iterable[tuple[tuple[str, Level], ...]]) -> tuple[str, ...]:
    """The factors in which the groups differ."""
    found = [dict(group) for group in groups]
    return tuple(name for name in FACTORS if len({levels.get(name) for levels in found}) > 1)


def _ladder(group: Sequence[_Step], varied: Sequence[str], rate: str, looks: int) -> Ladder:
    ordered = sorted(group, key=lambda step: (len(step.hops), step.place))
    levels = ordered[0].levels
    own = [level_label(name, levels[name]) for name in varied if name in levels]
    rate = RATES.get(str(levels.get("tool")), rate)
    steps = [(step, _neighbour(step, ordered[:place])) for place, step in enumerate(ordered) if place]
    cpu, throughput = _cpu(steps, looks), _throughput(steps, rate, looks)
    return Ladder(
        title=f"{TITLE}: {', '.join(own)}" if own else TITLE,
        base_id=ordered[0].trials.cell.id,
        rungs=tuple(
            _rung(step, other, *prices) for (step, other), *prices in zip(steps, cpu, throughput, strict=True)
        ),
    )


def _neighbour(step: _Step, before: Sequence[_Step]) -> _Step:
    return min(before, key=lambda other: _distance(step, other))


def _distance(step: _Step, other: _Step) -> tuple[int, int, int, int]:
    """How far a cell is from another one: what differs in hops, then in settings, then the plan's order."""
    added, removed = (step.count - other.count).total(), (other.count - step.count).total()
    settings = sum(step.levels.get(name) != other.levels.get(name) for name in OF_PATH if name != "path")
    return added + removed, removed, settings, other.place


def _rung(step: _Step, other: _Step, cpu: HopCost | None, throughput: HopCost | None) -> LadderStep:
    added, removed = _beyond(step.hops, other.count), _beyond(other.hops, step.count)
    return LadderStep(
        cell_id=step.trials.cell.id,
        from_id=other.trials.cell.id,
        added=added,
        removed=removed,
        cpu=cpu,
        throughput=throughput,
        sentence=rung_sentence(added, removed, _levels_apart(step, other), cpu, throughput),
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


def _levels_apart(step: _Step, other: _Step) -> tuple[str, str]:
    """The levels in which two cells of a group differ: this one's, the other one's.

    A factor that only one of them has (docker-proxy's program, without docker-proxy) tells nothing new.
    """
    names = [name for name in OF_PATH if step.levels.get(name) != other.levels.get(name)]
    both = [name for name in names if name in step.levels and name in other.levels] or names
    here, there = (
        ", ".join(level_label(name, levels[name]) for name in both if name in levels)
        for levels in (step.levels, other.levels)
    )
    return here, there


def _series(steps: Sequence[tuple[_Step, _Step]], metric: str) -> tuple[list[Series], list[Series]]:
    """What is independent of either end of each step: of the neighbours, and of the steps themselves."""
    found = [paired_series(step.trials, other.trials, metric) for step, other in steps]
    return [there for there, _ in found], [here for _, here in found]


def _cpu(steps: Sequence[tuple[_Step, _Step]], looks: int) -> list[HopCost | None]:
    """Microseconds of CPU per transaction that each step costs; None where no round has both."""
    others, own = _series(steps, CPU)
    return [
        None if isinstance(found, Undefined) else _price("µs", found, found.estimate, found.interval, looks)
        for found in family_differences(others, own, looks)
    ]


def _throughput(steps: Sequence[tuple[_Step, _Step]], rate: str, looks: int) -> list[HopCost | None]:
    """Per cent of throughput that each step costs; None where there is no ratio."""
    others, own = _series(steps, rate)
    return [
        None
        if isinstance(found, Undefined)
        else _price("%", found, _change(found.ratio), found.interval and _changes(found.interval), looks)
        for found in family_intervals(others, own, looks)
    ]


def _change(ratio: float) -> float:
    return 100 * (ratio - 1)


def _changes(bounds: Bounds) -> Bounds:
    return _change(bounds[0]), _change(bounds[1])


def _price(
    unit: str,
    found: DifferenceEstimate | RatioEstimate,
    estimate: float,
    bounds: Bounds | None,
    looks: int,
) -> HopCost:
    return HopCost(
        n=found.n,
        unit=unit,
        estimate=estimate,
        interval=None if bounds is None else Interval(low=bounds[0], high=bounds[1]),
        p=min(1.0, looks * found.p),
        p_adjusted=found.p_adjusted,
        family=found.family,
    )
