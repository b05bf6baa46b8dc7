"""Tied for best: the cells among which the best one lies with 95 % confidence.

Subset selection by comparison with the leader (Gupta 1965, after the multiple comparisons with the best of
Hsu 1984), with the paired test of the verdicts in place of normal theory: the truly best cell is left out
only where some leader is falsely shown to beat it, and Bonferroni bounds that over the cells that may lead,
those of all groups of a run together. It is two-sided and counts ties against a difference. Where two cells
have no ratio, because a value is zero, their differences are tested in its place.
A cell and its baseline are compared by the run: their verdict is quoted and not tested again, so that no cell
is tied with one that it is shown to be better than, and none is left out that the verdict calls equal. The
verdicts and the tests of the other pairs each favour a cell that is worse in at most 2.5 % of runs (half of
their two-sided 5 %), so that the truly best cell is left out in at most 5 %.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from backend.core.chart.cells.replicates import paired_series
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.settings import settings_apart
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.quality_models import BestGroup
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.plan.power import ALPHA, rounds_needed
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.family import bonferroni_estimates
from backend.core.statistics.ratio_estimate import RatioEstimate, Undefined

Sign = int
"""1 for better, -1 for worse, 0 where neither is shown."""


def best_groups(
    cells: Cells, metric: str, comparisons: Mapping[str, Comparison], analyses: int = 1
) -> tuple[BestGroup, ...]:
    """One group for each baseline that other cells are compared with, by one metric.

    Members are the baseline and its cells, as far as they have values and logs with the same settings; two
    at least. `comparisons` are those of the metric by cell id, `analyses` is the number of planned interim
    analyses.
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
    found = (
        _group(_Group(baseline_id, group, metric, tests, comparisons))
        for baseline_id, group in groups.items()
    )
    return tuple(group for group in found if group is not None)


@dataclass(frozen=True)
class _Group:
    """The cells of one baseline, and the number of tests of all groups of the run."""

    baseline_id: str
    cells: Sequence[CellTrials]
    metric: str
    tests: int
    comparisons: Mapping[str, Comparison]

    def signs_against(self, leader: CellTrials) -> dict[str, Sign]:
        """Whether each other cell is shown to be better (1) or worse (-1) than the leader, or neither (0)."""
        found: dict[str, Sign] = {}
        tested = []
        for trials in self.cells:
            if trials is leader:
                continue
            if leader.cell.id == self.baseline_id:
                found[trials.cell.id] = self._verdict(trials.cell.id)
            elif trials.cell.id == self.baseline_id:
                found[trials.cell.id] = -self._verdict(leader.cell.id)
            else:
                tested.append(trials)
        pairs = [paired_series(trials, leader, self.metric) for trials in tested]
        estimates = bonferroni_estimates([other for other, _ in pairs], [own for _, own in pairs], self.tests)
        signs = {t.cell.id: self._sign(own) for t, own in zip(tested, estimates, strict=True)}
        return found | signs

    def losers(self) -> set[str]:
        """The cells that a verdict shows to be worse than another one of the group."""
        signs = {trials.cell.id: self._verdict(trials.cell.id) for trials in self.cells}
        worse = {id_ for id_, sign in signs.items() if sign < 0}
        return worse | ({self.baseline_id} if 1 in signs.values() else set())

    @property
    def has_enough_rounds(self) -> bool:
        """Whether any test of the group can show a difference."""
        needed, verdicts = rounds_needed(self.tests), {self._kind(trials.cell.id) for trials in self.cells}
        if verdicts - {None, "undefined", "not_enough_rounds"}:
            return True
        rounds = [trials.values(self.metric).keys() for trials in self.cells]
        return any(len(one & other) >= needed for one, other in combinations(rounds, 2))

    def _kind(self, id_: str) -> str | None:
        found = self.comparisons.get(id_)
        return None if found is None else found.verdict

    def _verdict(self, id_: str) -> Sign:
        return {"better": 1, "worse": -1}.get(self._kind(id_) or "", 0)

    def _sign(self, found: Estimate | Undefined) -> Sign:
        if isinstance(found, Undefined) or found.p_adjusted is None or found.p_adjusted > ALPHA:
            return 0
        is_above = found.ratio > 1 if isinstance(found, RatioEstimate) else found.estimate > 0
        return 1 if is_above == (METRICS[self.metric].better == "higher") else -1


def _group(group: _Group) -> BestGroup | None:
    """The group with its leader; None where each cell is beaten by another one, so that none leads."""
    leader, found = _leader(group)
    out = {id_ for id_, sign in found.items() if sign < 0} | group.losers()
    if leader.cell.id in out:
        return None
    tied = [trials for trials in group.cells if trials.cell.id not in out]
    needed = None if out or group.has_enough_rounds else rounds_needed(group.tests)
    return BestGroup(
        metric=group.metric,
        baseline_id=group.baseline_id,
        leader_id=leader.cell.id,
        tied=tuple(trials.cell.id for trials in tied),
        out=tuple(trials.cell.id for trials in group.cells if trials.cell.id in out),
        sentence=_sentence(tied, len(group.cells), METRICS[group.metric].title, needed),
    )


def _leader(group: _Group) -> tuple[CellTrials, dict[str, Sign]]:
    """The cell with the best median, or one that is shown to be better than it, and the others beside it."""
    best = max if METRICS[group.metric].better == "higher" else min
    leading: Sequence[CellTrials] = group.cells
    for _ in group.cells:
        leader = best(leading, key=lambda trials: median(trials.values(group.metric).values()))
        found = group.signs_against(leader)
        leading = [trials for trials in group.cells if found.get(trials.cell.id, 0) > 0]
        if not leading:
            break
    return leader, found


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
