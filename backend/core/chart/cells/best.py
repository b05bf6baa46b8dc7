"""Tied for best: the cells among which the best one lies with 95 % confidence.

Subset selection by comparison with the leader (Gupta 1965, after the multiple comparisons with the best of
Hsu 1984), with paired one-sided tests in place of normal theory: the truly best cell is left out only
where some leader is falsely shown to beat it, and Bonferroni bounds that over the k − 1 cells that may lead.
Where two cells have no ratio, because a value is zero, their differences are tested in its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from backend.core.chart.cells.replicates import paired_values
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.settings import settings_apart
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import BestGroup
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.plan.power import ALPHA
from backend.core.statistics.paired import Undefined, paired_less_p
from backend.core.statistics.paired_difference import paired_difference_less_p


def best_groups(cells: Cells, metric: str, analyses: int = 1) -> tuple[BestGroup, ...]:
    """One group for each baseline that other cells are compared with, by one metric.

    Members are the baseline and its cells, as far as they have values and logs with the same settings; two
    at least. `analyses` is the number of planned interim analyses.
    """
    members: defaultdict[str, list[CellTrials]] = defaultdict(list)
    for trials in cells.values():
        baseline_id = trials.cell.baseline_id or trials.cell.id
        if trials.cell.is_duplicate or not trials.values(metric):
            continue
        if baseline_id not in cells or not settings_apart(trials, cells[baseline_id]):
            members[baseline_id].append(trials)
    return tuple(
        _group(baseline_id, group, metric, analyses)
        for baseline_id, group in members.items()
        if len(group) > 1
    )


def _group(baseline_id: str, group: Sequence[CellTrials], metric: str, analyses: int) -> BestGroup:
    row = METRICS[metric]
    best = max if row.better == "higher" else min
    leader = best(group, key=lambda trials: median(trials.values(metric).values()))
    others = [trials for trials in group if trials is not leader]
    level = ALPHA / len(others) / analyses
    pairs = {trials.cell.id: paired_values(trials, leader, metric) for trials in others}
    out = {trials.cell.id for trials in others if _worse_p(metric, *pairs[trials.cell.id]) <= level}
    tied = [trials for trials in group if trials.cell.id not in out]
    enough = any(0.5 ** len(own) <= level for _, own in pairs.values())
    return BestGroup(
        metric=metric,
        baseline_id=baseline_id,
        leader_id=leader.cell.id,
        tied=tuple(trials.cell.id for trials in tied),
        out=tuple(trials.cell.id for trials in group if trials.cell.id in out),
        sentence=_sentence(tied, len(others), row.title, level, enough),
    )


def _worse_p(metric: str, first: Sequence[float], own: Sequence[float]) -> float:
    """One-sided p that a cell is no worse than the leader, `first`; 1 where no round has both."""
    base, other = (first, own) if METRICS[metric].better == "higher" else (own, first)
    try:
        return paired_less_p(base, other)
    except Undefined:
        return paired_difference_less_p(base, other) if own else 1.0


def _sentence(tied: Sequence[CellTrials], others: int, metric: str, level: float, enough: bool) -> str:
    names = [trials.cell.label for trials in tied]
    if not enough:
        needed = next(n for n in range(1, 1000) if 0.5**n <= level)
        return message("bestTooFew", n=others + 1, metric=metric, needed=needed)
    if len(names) == 1:
        return message("bestIs", cell=names[0], n=others + 1, metric=metric)
    return message("bestTied", metric=metric, cells=listed(names))


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a sentence: "a, b and c"; of many the first few, and how many more there are."""
    if len(names) > most:
        return message("andMore", names=", ".join(names[:most]), n=len(names) - most)
    others = ", ".join(names[:-1])
    return message("andLast", names=others, last=names[-1]) if others else names[-1]
