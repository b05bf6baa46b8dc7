"""The price of each hop, from neighbouring paths in the same rounds.

Cells that differ in nothing but their path, the engine's settings and the program in front make a group.
Sorted by the number of their hops (then CPU per transaction, then the plan's order), each cell but the
first is held against one of those before it: the one from which the fewest hops differ, counted as a
multiset; then one whose hops it only adds to, or takes the fewest from; then one with the same settings;
then the cheapest. So the rungs are a tree whose root is the shortest, cheapest path. Which neighbour is
taken depends on the hops first: the prices beside it are no search for the largest difference. Intervals
are 95 % each, not corrected for their number.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from backend.core.chart.model import Interval, Ladder, Price, Rung
from backend.core.chart.prices import rung_sentence
from backend.core.chart.replicates import paired_values
from backend.core.chart.trials import CellTrials
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import RATES
from backend.core.plan.labels import level_label
from backend.core.statistics.paired import ALPHA_95, Undefined, paired_ratio
from backend.core.statistics.paired_difference import paired_difference

CPU: Final = "cpu_us_per_txn"
OF_PATH: Final = tuple(name for name, factor in FACTORS.items() if factor.scope in ("path", "front"))
"""What may differ within a group: the path and everything that belongs to it."""
TITLE: Final = "Price of each hop"


@dataclass(frozen=True)
class _Step:
    """A measured cell with its hops; `cpu` is its median CPU per transaction, infinite where unknown."""

    trials: CellTrials
    hops: tuple[str, ...]
    count: Counter[str]
    cpu: float
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
    that looks several times, p and intervals are corrected for all `looks`.
    """
    steps = [
        _step(trials, hops[id_], place)
        for place, (id_, trials) in enumerate(cells.items())
        if id_ in hops and trials.used and not trials.cell.is_duplicate
    ]
    groups: defaultdict[tuple[tuple[str, Level], ...], list[_Step]] = defaultdict(list)
    for step in steps:
        groups[tuple((k, v) for k, v in step.levels.items() if k not in OF_PATH)].append(step)
    varied = _varied(groups)
    return tuple(_ladder(group, varied, rate, looks) for group in groups.values() if len(group) > 1)


def _step(trials: CellTrials, hops: tuple[str, ...], place: int) -> _Step:
    values = trials.values(CPU)
    return _Step(trials, hops, Counter(hops), median(values.values()) if values else math.inf, place)


def _varied(groups: Iterable[tuple[tuple[str, Level], ...]]) -> tuple[str, ...]:
    """The factors in which the groups differ."""
    found = [dict(group) for group in groups]
    return tuple(name for name in FACTORS if len({levels.get(name) for levels in found}) > 1)


def _ladder(group: Sequence[_Step], varied: Sequence[str], rate: str, looks: int) -> Ladder:
    ordered = sorted(group, key=lambda step: (len(step.hops), step.cpu, step.place))
    levels = ordered[0].levels
    own = [level_label(name, levels[name]) for name in varied if name in levels]
    rate = RATES.get(str(levels.get("tool")), rate)
    return Ladder(
        title=f"{TITLE}: {', '.join(own)}" if own else TITLE,
        base_id=ordered[0].trials.cell.id,
        rungs=tuple(
            _rung(step, _neighbour(step, ordered[:place]), rate, looks)
            for place, step in enumerate(ordered)
            if place
        ),
    )


def _neighbour(step: _Step, before: Sequence[_Step]) -> _Step:
    return min(before, key=lambda other: _distance(step, other))


def _distance(step: _Step, other: _Step) -> tuple[int, int, int, float, int]:
    """How far a cell is from another one: what differs in hops, then in settings, then what it costs."""
    added, removed = (step.count - other.count).total(), (other.count - step.count).total()
    settings = sum(step.levels.get(name) != other.levels.get(name) for name in OF_PATH if name != "path")
    return added + removed, removed, settings, other.cpu, other.place


def _rung(step: _Step, other: _Step, rate: str, looks: int) -> Rung:
    added, removed = _beyond(step.hops, other.count), _beyond(other.hops, step.count)
    cpu = _cpu(step.trials, other.trials, looks)
    throughput = _throughput(step.trials, other.trials, rate, looks)
    return Rung(
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


def _cpu(step: CellTrials, other: CellTrials, looks: int) -> Price | None:
    base, values = paired_values(step, other, CPU)
    if not values:
        return None
    found = paired_difference(base, values, 1 - ALPHA_95 / looks)
    return _price("µs", found.n, found.estimate, found.interval, min(1.0, looks * found.p))


def _throughput(step: CellTrials, other: CellTrials, rate: str, looks: int) -> Price | None:
    try:
        found = paired_ratio(*paired_values(step, other, rate), looks)
    except Undefined:
        return None
    bounds = None if found.interval is None else tuple(100 * (bound - 1) for bound in found.interval)
    return _price("%", found.n, 100 * (found.ratio - 1), bounds, min(1.0, looks * found.p))


def _price(unit: str, n: int, estimate: float, bounds: Sequence[float] | None, p: float) -> Price:
    interval = None if bounds is None else Interval(low=bounds[0], high=bounds[1])
    return Price(n=n, unit=unit, estimate=estimate, interval=interval, p=p)
