"""The interim analyses of a run, replayed from its trials: which cells each of them decided.

An interim analysis reads the rounds up to its own, and those do not change once they have ended. So page,
exports and the trial queue find the same decisions from the same trials at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate, correct_family
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.pairing import compare_family, compared, deciding_metrics
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.interim.stopping import analyses_to_correct_for, trials_of_result, until
from backend.core.definition.metrics import METRICS

REJECTED: Final = frozenset(("better", "worse", "different_within_margin"))
"""Verdicts that show a difference."""
DECIDED: Final = REJECTED | {"equivalent"}
"""Verdicts after which a cell needs no further rounds."""


@dataclass(frozen=True)
class InterimReplay:
    """The interim analyses of a run so far.

    `decided` is the round of the interim analysis that decided a cell, by its id; `open` are the cells that
    the last analysis left undecided. `ratios` are all comparisons by metric and cell id, A/A duplicates
    included: of a decided cell as they were at its analysis, else over all rounds so far.
    """

    planned: tuple[int, ...]
    taken: tuple[int, ...]
    decided: Mapping[str, int]
    open: frozenset[str]
    ratios: Mapping[str, Mapping[str, CorrectedEstimate]]


@dataclass
class _Family:
    """The comparisons of one metric during the replay; only those of `deciding` cells are decided by it."""

    metric: str
    ids: tuple[str, ...]
    deciding: frozenset[str]
    margin: float
    analyses: int
    settled: dict[str, CorrectedEstimate] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    open: frozenset[str] = frozenset()

    def compare(self, cells: Cells) -> dict[str, CorrectedEstimate]:
        """Every comparison over these trials; a decided one keeps the figures of its analysis."""
        found = compare_family(self.ids, cells, self.metric, self.analyses)
        for id_, settled in self.settled.items():
            if settled.estimate is not None:
                found[id_] = settled.estimate
        return correct_family(found, self.analyses, self.rejected) | self.settled

    def decide(self, cells: Cells) -> Iterator[str]:
        """Yield the cells that this interim analysis decides, and keep those that it leaves open."""
        found = self.compare(cells)
        kinds = {id_: self._kind(cells[id_].cell.label, found[id_]) for id_ in self._undecided()}
        decided = sorted(id_ for id_, kind in kinds.items() if kind in DECIDED)
        self.settled |= {id_: found[id_] for id_ in decided}
        self.rejected |= {id_ for id_ in decided if kinds[id_] in REJECTED}
        self.open = frozenset(id_ for id_, kind in kinds.items() if kind is not None and kind not in DECIDED)
        yield from decided

    def _undecided(self) -> frozenset[str]:
        return self.deciding - self.settled.keys()

    def _kind(self, label: str, found: CorrectedEstimate) -> str | None:
        """The kind of verdict; None where there is no ratio, because further rounds would not give one."""
        if found.estimate is None:
            return None
        return found.verdict(METRICS[self.metric], label, self.margin).kind


def replay_interim_analyses(data: ChartInput, cells: Cells) -> InterimReplay:
    """Replay the interim analyses of a run; `cells` is `by_cell(data)`.

    Every cell is decided by the first metric of the experiment that it and its baseline can yield. Of a
    cancelled run the last interim analysis is its result (`stopping`).
    """
    taken = tuple(_taken(data.plan.interim_rounds, data.trials))
    deciding = deciding_metrics(cells, data.experiment.metrics)
    analyses = analyses_to_correct_for(data, len(taken))
    families = {
        metric: _family(data, cells, metric, deciding, analyses) for metric in data.experiment.metrics
    }
    decided: dict[str, int] = {}
    for round_ in taken:
        seen = {id_: until(trials, round_) for id_, trials in cells.items()}
        for family in families.values():
            if family.deciding:
                decided |= dict.fromkeys(family.decide(seen), round_)
    of_result = trials_of_result(data, cells, taken[-1] if taken else None)
    return InterimReplay(
        planned=data.plan.interim_rounds,
        taken=taken,
        decided=decided,
        open=frozenset().union(*(family.open for family in families.values())),
        ratios={metric: _final(family, of_result) for metric, family in families.items()},
    )


def _taken(planned: Sequence[int], rows: Sequence[TrialRow]) -> Iterator[int]:
    """The analyses whose trials have all ended, and with some trial that ran since the one before."""
    before = 0
    for round_ in planned:
        states = {row.state for row in rows if before < row.round <= round_}
        if states & {"queued", "running", "cancelled"} or not states & {"done", "failed"}:
            return
        yield round_
        before = round_


def _family(
    data: ChartInput, cells: Cells, metric: str, deciding: Mapping[str, str], analyses: int
) -> _Family:
    ids = tuple(c.cell.id for c in compared(cells.values(), metric) if not c.cell.is_duplicate)
    own = frozenset(id_ for id_ in ids if deciding[id_] == metric)
    return _Family(metric, ids, own, data.experiment.margin, analyses)


def _final(family: _Family, cells: Cells) -> dict[str, CorrectedEstimate]:
    """The comparisons of one metric after the last analysis, the A/A duplicates as a family of their own.

    A cell whose trials stopped to count since it was decided has no figures.
    """
    for id_ in list(family.settled):
        if not (cells[id_].used and cells[cells[id_].cell.baseline_id or id_].used):
            del family.settled[id_]
    return family.compare(cells) | _of_duplicates(cells, family.metric, family.analyses)


def _of_duplicates(cells: Cells, metric: str, analyses: int) -> dict[str, CorrectedEstimate]:
    ids = tuple(c.cell.id for c in compared(cells.values(), metric) if c.cell.is_duplicate)
    return correct_family(compare_family(ids, cells, metric, analyses), analyses)
