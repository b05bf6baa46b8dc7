"""The knees of sweeps: the highest rate under a latency limit, the load at which throughput collapses.

Both are found in each round by itself, so that drift between rounds cannot move one level against another,
and then summarised over the rounds: the lower median and its order-statistic interval (95 %, from 6 rounds).

"limit", a sweep of the offered rate (open loop). A level passes in a round if its 99th percentile of latency
is at most the limit and at least 95 % of the offered rate was achieved; the round's knee is the highest level
that passes together with all lower ones, and 0 where the lowest does not. A round is left out where a level
on which its knee depends has no figure: no trial that counts, or too few transactions for the percentile
(1,000). The sentence says how many rounds that are, and at which levels.

"collapse", a sweep of the clients with a new connection for each transaction (closed loop). The round's knee
is the last level, from the round's best one upwards, that keeps 95 % of the best throughput without a gap; a
round counts where all measured levels have a figure. The fall of throughput beyond it must be significant:
some level above the knee has a paired ratio to it whose interval, simultaneous over all levels above, is
wholly below 1; where a value is zero, and no ratio exists, paired differences are tested in their place.
Otherwise the knee is at least at this level, and has no interval: the last level that keeps throughput is
then an effect of noise alone.

Limits: levels are discrete, so a knee lies anywhere between its level and the next one; a dip of one noisy
trial ends its round's knee early, which does not move the median over rounds if it happens in fewer than half
of them; a knee outside the sweep is not known, and `beyond` says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median, median_low
from typing import Final, Literal

from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.sweep_models import Knee
from backend.core.chart.text.knee_sentences import Fall, Lost, collapse_sentence, limit_sentence
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import RATES
from backend.core.plan.labels import cell_label
from backend.core.sample.histogram import achieved
from backend.core.statistics.compared_pair import Series
from backend.core.statistics.family import family_differences, family_intervals
from backend.core.statistics.median import median_interval
from backend.core.statistics.paired import Undefined
from backend.core.workload.connecting import connects_anew

LATENCY: Final = "open_latency_p99_ms"
KEEPS: Final = 0.95
"""Share of a round's best throughput: a load with less is beyond the knee."""
FEWEST: Final = {"limit": 2, "collapse": 3}
"""The fewest levels of a sweep: of two loads, one always has the lower throughput."""

Beyond = Literal["above", "below"]


@dataclass(frozen=True)
class _Sweep:
    """The cells of one group by their level of the swept factor, ascending."""

    factor: str
    title: str
    cells: tuple[CellTrials, ...]

    @property
    def levels(self) -> tuple[int, ...]:
        return tuple(int(trials.cell.levels[self.factor]) for trials in self.cells)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(trials.cell.id for trials in self.cells)


@dataclass(frozen=True)
class _KneePoint:
    """The knee over the rounds: its level (0: below the lowest), how many rounds, its interval."""

    level: int
    n: int
    interval: Interval | None


def build_knees(
    cells: Mapping[str, CellTrials], limit_ms: float | None, analyses: int = 1
) -> tuple[Knee, ...]:
    """One knee a group of cells that differ in the offered rate alone, or in the number of clients alone.

    Without `limit_ms` there are none of the first kind. Knees do not depend on the experiment's metrics.
    A fall is tested by p and intervals that are corrected for all interim `analyses`.
    """
    ordinary = [t for t in cells.values() if t.cell.infeasible is None and not t.cell.is_duplicate]
    offered = [t for t in ordinary if _number(t, "rate") > 0]
    found: list[Knee] = []
    if limit_ms is not None:
        found += [_limit(sweep, limit_ms) for sweep in _sweeps(offered, "rate", FEWEST["limit"])]
    connecting = [t for t in ordinary if _connects(t)]
    collapsing = _sweeps([t for t in connecting if t.used], "clients", FEWEST["collapse"])
    return (*found, *(_collapse(sweep, _never(sweep, connecting), analyses) for sweep in collapsing))


def _number(trials: CellTrials, factor: str) -> int:
    return int(trials.cell.levels.get(factor, 0))


def _connects(trials: CellTrials) -> bool:
    """Whether each transaction opens a connection of its own, in a closed loop."""
    return connects_anew(trials.cell.levels) and not trials.cell.levels.get("rate")


def _sweeps(found: Sequence[CellTrials], factor: str, fewest: int) -> Iterator[_Sweep]:
    groups: defaultdict[tuple[tuple[str, Level], ...], list[CellTrials]] = defaultdict(list)
    for trials in found:
        groups[_others(trials, factor)].append(trials)
    levels_of_groups = [dict(group) for group in groups]
    varied = [name for name in FACTORS if len({levels.get(name) for levels in levels_of_groups}) > 1]
    for group, members in groups.items():
        if len(members) >= fewest:
            ordered = sorted(members, key=lambda trials: _number(trials, factor))
            yield _Sweep(factor, cell_label(dict(group), varied), tuple(ordered))


def _others(trials: CellTrials, factor: str) -> tuple[tuple[str, Level], ...]:
    """The levels of a cell but that of the swept factor."""
    return tuple((name, level) for name, level in trials.cell.levels.items() if name != factor)


def _never(sweep: _Sweep, found: Sequence[CellTrials]) -> tuple[int, ...]:
    """The levels of the sweep that were measured, but of which no trial counts."""
    own = _others(sweep.cells[0], sweep.factor)
    tried = [t for t in found if not t.used and (t.done or t.failed) and _others(t, sweep.factor) == own]
    return tuple(sorted(_number(trials, sweep.factor) for trials in tried))


def _lost(sweep: _Sweep, gaps: Mapping[int, Collection[int]]) -> Lost:
    """The rounds with missing levels whose trials have all ended, by their missing levels."""
    ended = {
        (level, row.round)
        for level, trials in zip(sweep.levels, sweep.cells, strict=True)
        for row in (*trials.done, *trials.failed)
    }
    lost = {r: levels for r, levels in gaps.items() if all((level, r) in ended for level in levels)}
    return Lost(len(lost), tuple(sorted({level for levels in lost.values() for level in levels})))


def _over_rounds(levels: Sequence[int]) -> _KneePoint | None:
    """The knee over the levels of the rounds; None without a round."""
    if not levels:
        return None
    bounds = median_interval(levels)
    none = bounds.low is None or bounds.high is None or bounds.high == 0
    interval = None if none else Interval(low=bounds.low or 0.0, high=bounds.high or 0.0)
    return _KneePoint(median_low(levels), len(levels), interval)


# --- the highest offered rate within a limit ------------------------------------------------------


def _limit(sweep: _Sweep, limit_ms: float) -> Knee:
    highest: list[int] = []
    gaps: dict[int, tuple[int, ...]] = {}
    for round_ in _rounds(sweep):
        level, missing = _highest_passing(sweep, round_, limit_ms)
        if missing is None:
            highest.append(level)
        else:
            gaps[round_] = (missing,)
    point = _over_rounds(highest)
    beyond: Beyond | None = None
    if point is not None and point.level in (0, sweep.levels[-1]):
        beyond = "below" if point.level == 0 else "above"
    sentence = limit_sentence(sweep.levels, point, _lost(sweep, gaps), limit_ms)
    return _knee("limit", sweep, LATENCY, point, beyond, sentence, limit_ms)


def _rounds(sweep: _Sweep) -> list[int]:
    """The rounds in which any trial of the sweep has ended."""
    return sorted({row.round for trials in sweep.cells for row in (*trials.done, *trials.failed)})


def _highest_passing(sweep: _Sweep, round_: int, limit_ms: float) -> tuple[int, int | None]:
    """One round's knee, 0 where the lowest rate does not pass, and the level that leaves it unknown."""
    highest = 0
    for level, trials in zip(sweep.levels, sweep.cells, strict=True):
        latency, rate = trials.values(LATENCY).get(round_), trials.values(RATES["pgbench"]).get(round_)
        if rate is not None and not achieved(level, rate):
            return highest, None
        if latency is None or rate is None:
            return highest, level
        if latency > limit_ms:
            return highest, None
        highest = level
    return highest, None


# --- the load after which throughput falls --------------------------------------------------------


def _collapse(sweep: _Sweep, never: Sequence[int], analyses: int) -> Knee:
    metric = RATES[str(sweep.cells[0].cell.levels["tool"])]
    series = dict(zip(sweep.levels, (trials.values(metric) for trials in sweep.cells), strict=True))
    lacking = {r: [level for level, own in series.items() if r not in own] for r in _rounds(sweep)}
    complete = [r for r, levels in lacking.items() if not levels]
    point = _over_rounds([_last_keeping(sweep.levels, [own[r] for own in series.values()]) for r in complete])
    fall = None if point is None else _fall(sweep, metric, sweep.levels.index(point.level), analyses)
    beyond: Beyond | None = None
    if point is not None and fall is None:
        point, beyond = replace(point, interval=None), "above"
    lost = _lost(sweep, {r: levels for r, levels in lacking.items() if levels})
    sentence = collapse_sentence(sweep.levels, point, lost, never, fall)
    return _knee("collapse", sweep, metric, point, beyond, sentence, None)


def _last_keeping(levels: Sequence[int], rates: Sequence[float]) -> int:
    """One round's knee: the last load, from the best one upwards, that keeps KEEPS of the best rate."""
    best = max(range(len(rates)), key=rates.__getitem__)
    last = best
    while last + 1 < len(rates) and rates[last + 1] >= KEEPS * rates[best]:
        last += 1
    return levels[last]


def _fall(sweep: _Sweep, metric: str, knee: int, analyses: int) -> Fall | None:
    """The first level above the knee that is significantly slower and below KEEPS of it.

    Where none is below that, the slowest of those that are significantly slower.
    """
    here, *above = sweep.cells[knee:]
    levels = [_number(trials, sweep.factor) for trials in above]
    falls = _falls(levels, here.values(metric), [trials.values(metric) for trials in above], analyses)
    shown = [fall for fall in falls if _is_below(fall)]
    slowest = min(shown, key=lambda fall: fall.ratio, default=None)
    return next((fall for fall in shown if fall.ratio < KEEPS), slowest)


def _falls(levels: Sequence[int], here: Series, above: Sequence[Series], analyses: int) -> list[Fall]:
    """Each level above the knee against it, with simultaneous intervals."""
    ratios = family_intervals([here] * len(above), above, analyses)
    if not any(isinstance(found, Undefined) for found in ratios):
        return [
            Fall(level, found.ratio, found.interval, of=found.family)
            for level, found in zip(levels, ratios, strict=True)
            if not isinstance(found, Undefined)
        ]
    gaps = family_differences([here] * len(above), above, analyses)
    return [
        Fall(level, _of_medians(here, own), None, gap.interval, gap.family)
        for level, own, gap in zip(levels, above, gaps, strict=True)
        if not isinstance(gap, Undefined)
    ]


def _of_medians(here: Series, there: Series) -> float:
    """The ratio of the medians over the rounds that both have."""
    rounds = here.keys() & there.keys()
    base = median(here[r] for r in rounds)
    return median(there[r] for r in rounds) / base if base else 1.0


def _is_below(fall: Fall) -> bool:
    """Whether its interval lies wholly on the slower side."""
    if fall.interval is not None:
        return fall.interval[1] < 1
    return fall.difference is not None and fall.difference[1] < 0


def _knee(
    kind: Literal["limit", "collapse"],
    sweep: _Sweep,
    metric: str,
    point: _KneePoint | None,
    beyond: Beyond | None,
    sentence: str,
    limit_ms: float | None,
) -> Knee:
    return Knee(
        kind=kind,
        title=sweep.title,
        factor=sweep.factor,
        metric=metric,
        limit_ms=limit_ms,
        cells=sweep.ids,
        n=0 if point is None else point.n,
        level=None if point is None or beyond == "below" else float(point.level),
        interval=None if point is None else point.interval,
        beyond=beyond,
        sentence=sentence,
    )
