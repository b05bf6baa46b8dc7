"""Tied for best: the cells among which the best one lies with 95 % confidence.

Subset selection by comparison with the leader (Gupta 1965, after the multiple comparisons with the best of
Hsu 1984), with the paired test of the verdicts in place of normal theory: the truly best cell is left out
only where some leader is falsely shown to beat it, and Bonferroni bounds that over the cells that may lead,
those of all groups of a run together. It is two-sided, counts ties against a difference and has the family
of the verdicts: so both need the same number of rounds, and of two cells one is best exactly where its
verdict shows a difference.
Where two cells have no ratio, because a value is zero, their differences are tested in its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from backend.core.chart.cells.replicates import paired_series
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.settings import settings_apart
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import BestGroup
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.plan.power import ALPHA, rounds_needed
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.family import bonferroni_estimates
from backend.core.statistics.ratio_estimate import RatioEstimate, Undefined


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
    groups = {baseline_id: group for baseline_id, group in members.items() if len(group) > 1}
    tests = analyses * sum(len(group) - 1 for group in groups.values())
    return tuple(_group(baseline_id, group, metric, tests) for baseline_id, group in groups.items())


def _group(baseline_id: str, group: Sequence[CellTrials], metric: str, tests: int) -> BestGroup:
    leader, found = _leader(group, metric, tests)
    higher = METRICS[metric].better == "higher"
    out = {id_ for id_, estimate in found.items() if _is_shown(estimate, above=not higher)}
    tied = [trials for trials in group if trials.cell.id not in out]
    needed = rounds_needed(tests)
    enough = any(not isinstance(own, Undefined) and own.n >= needed for own in found.values())
    return BestGroup(
        metric=metric,
        baseline_id=baseline_id,
        leader_id=leader.cell.id,
        tied=tuple(trials.cell.id for trials in tied),
        out=tuple(trials.cell.id for trials in group if trials.cell.id in out),
        sentence=_sentence(tied, len(group), METRICS[metric].title, None if enough else needed),
    )


def _leader(
    group: Sequence[CellTrials], metric: str, tests: int
) -> tuple[CellTrials, dict[str, Estimate | Undefined]]:
    """The cell with the best median, or one that is shown to be better than it, and the others beside it."""
    higher = METRICS[metric].better == "higher"
    best = max if higher else min
    leading: Sequence[CellTrials] = group
    for _ in group:
        leader = best(leading, key=lambda trials: median(trials.values(metric).values()))
        others = [trials for trials in group if trials is not leader]
        pairs = [paired_series(trials, leader, metric) for trials in others]
        estimates = bonferroni_estimates([first for first, _ in pairs], [own for _, own in pairs], tests)
        found = {trials.cell.id: own for trials, own in zip(others, estimates, strict=True)}
        leading = [trials for trials in others if _is_shown(found[trials.cell.id], above=higher)]
        if not leading:
            break
    return leader, found


def _is_shown(found: Estimate | Undefined, *, above: bool) -> bool:
    """Whether a cell is shown to be above, or below, the leader."""
    if isinstance(found, Undefined) or found.p_adjusted is None or found.p_adjusted > ALPHA:
        return False
    return (found.ratio > 1 if isinstance(found, RatioEstimate) else found.estimate > 0) == above


def _sentence(tied: Sequence[CellTrials], n: int, metric: str, needed: int | None) -> str:
    names = [trials.cell.label for trials in tied]
    if needed is not None:
        return message("bestTooFew", n=n, metric=metric, needed=needed)
    if len(names) == 1:
        return message("bestIs", cell=names[0], n=n, metric=metric)
    return message("bestTied", metric=metric, cells=listed(names))


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a sentence: "a, b and c"; of many the first few, and how many more there are."""
    if len(names) > most:
        return message("andMore", names=", ".join(names[:most]), n=len(names) - most)
    others = ", ".join(names[:-1])
    return message("andLast", names=others, last=names[-1]) if others else names[-1]
