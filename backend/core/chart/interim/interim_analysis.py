"""Rounds spent where they decide: what each look of a run saw and decided, replayed from its trials.

A look reads the rounds up to its own and no others, and those do not change once they have ended; so
page, exports and the queue come to the same decisions from the same trials, whenever they ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from backend.core.chart.cells.corrected_ratio import CorrectedRatio, correct_family
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.pairing import compare_family, compared, judged_by
from backend.core.chart.cells.trials import Cells, CellTrials, by_cell
from backend.core.chart.interim.stopping import analyses, judged_trials, until
from backend.core.definition.metrics import METRICS
from backend.core.plan.estimate import trial_seconds
from backend.core.statistics.verdict import verdict

REJECTED: Final = frozenset(("better", "worse", "different_within_margin"))
"""Verdicts that say: there is a difference."""
DECIDED: Final = REJECTED | {"equivalent"}
"""Verdicts after which a cell needs no further rounds."""


@dataclass(frozen=True)
class InterimReplay:
    """The looks of a run so far.

    `decided` gives the round of the look that decided a cell, by its id; `open` are the cells that the
    last look left open. `ratios` are all comparisons by metric and cell id, A/A duplicates included.
    """

    planned: tuple[int, ...]
    taken: tuple[int, ...]
    decided: Mapping[str, int]
    open: frozenset[str]
    ratios: Mapping[str, Mapping[str, CorrectedRatio]]


@dataclass
class _Family:
    """The comparisons of one metric while the looks go over them; only the `judged` ones are decided."""

    metric: str
    ids: tuple[str, ...]
    judged: frozenset[str]
    margin: float
    looks: int
    settled: dict[str, CorrectedRatio] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    open: frozenset[str] = frozenset()

    def at(self, cells: Cells) -> dict[str, CorrectedRatio]:
        """Every comparison by these trials; what was decided before stands as it was decided."""
        found = compare_family(self.ids, cells, self.metric, self.looks)
        for id_, settled in self.settled.items():
            if settled.estimate is not None:
                found[id_] = settled.estimate
        return correct_family(found, self.looks, self.rejected) | self.settled

    def decide(self, cells: Cells) -> Iterator[str]:
        """Take one look: yields the cells that it decides, and notes which stay open."""
        found = self.at(cells)
        kinds = {id_: self._kind(cells[id_], found[id_]) for id_ in self.judged - self.settled.keys()}
        decided = sorted(id_ for id_, kind in kinds.items() if kind in DECIDED)
        self.settled |= {id_: found[id_] for id_ in decided}
        self.rejected |= {id_ for id_ in decided if kinds[id_] in REJECTED}
        self.open = frozenset(id_ for id_, kind in kinds.items() if kind is not None and kind not in DECIDED)
        yield from decided

    def _kind(self, trials: CellTrials, found: CorrectedRatio) -> str | None:
        """The kind of verdict, None where there is no ratio: further rounds would not make one."""
        if found.estimate is None or found.estimate.p_adjusted is None:
            return None
        metric, label = METRICS[self.metric], trials.cell.label
        p = found.estimate.p_adjusted
        return verdict(metric, label, found.estimate, p, self.margin, found.needed).kind


def look(data: ChartInput, cells: Cells) -> InterimReplay:
    """Replay the looks of a run; `cells` is `by_cell(data)`.

    Every cell is judged by the first metric of the experiment that it and its baseline can yield. Of a
    cancelled run the last interim analysis is its result (`stopping`).
    """
    taken = tuple(_taken(data.plan.interim_rounds, data.trials))
    judges = judged_by(cells, data.experiment.metrics)
    planned = analyses(data, len(taken))
    families = {metric: _family(data, cells, metric, judges, planned) for metric in data.experiment.metrics}
    decided: dict[str, int] = {}
    for round_ in taken:
        seen = {id_: until(trials, round_) for id_, trials in cells.items()}
        for family in families.values():
            if family.judged:
                decided |= dict.fromkeys(family.decide(seen), round_)
    judged = judged_trials(data, cells, taken[-1] if taken else None)
    return InterimReplay(
        planned=data.plan.interim_rounds,
        taken=taken,
        decided=decided,
        open=frozenset().union(*(family.open for family in families.values())),
        ratios={metric: _final(family, judged) for metric, family in families.items()},
    )


def _taken(planned: Sequence[int], rows: Sequence[TrialRow]) -> Iterator[int]:
    """The looks before which every trial has ended, and since the look before some trial was carried out."""
    before = 0
    for round_ in planned:
        states = {row.state for row in rows if before < row.round <= round_}
        if states & {"queued", "running", "cancelled"} or not states & {"done", "failed"}:
            return
        yield round_
        before = round_


def _family(data: ChartInput, cells: Cells, metric: str, judges: Mapping[str, str], looks: int) -> _Family:
    ids = tuple(c.cell.id for c in compared(cells.values(), metric) if not c.cell.is_duplicate)
    judged = frozenset(id_ for id_ in ids if judges[id_] == metric)
    return _Family(metric, ids, judged, data.experiment.margin, looks)


def _final(family: _Family, cells: Cells) -> dict[str, CorrectedRatio]:
    """The comparisons of one metric as they stand now. A cell that lost its trials since has no figures."""
    for id_ in list(family.settled):
        if not (cells[id_].used and cells[cells[id_].cell.baseline_id or id_].used):
            del family.settled[id_]
    return family.at(cells) | of_duplicates(cells, family.metric, family.looks)


def of_duplicates(cells: Cells, metric: str, looks: int) -> dict[str, CorrectedRatio]:
    """The A/A duplicates' comparisons of one metric, a family of their own, by cell id."""
    ids = tuple(c.cell.id for c in compared(cells.values(), metric) if c.cell.is_duplicate)
    return _Family(metric, ids, frozenset(), 0.0, looks).at(cells)


def next_stage(data: ChartInput) -> frozenset[tuple[str, int]]:
    """The queued trials, as (cell id, round), that the last look taken makes needless.

    Those of the cells that are decided or can have no ratio; of baselines and A/A duplicates without an
    open cell; and all of them where the next stage would not fit into the experiment's budget.
    """
    cells = by_cell(data)
    looking = look(data, cells)
    if not looking.taken:
        return frozenset()
    now = looking.taken[-1]
    kept = _going_on(looking.open, cells)
    later = [row for row in data.trials if row.state == "queued" and row.round > now]
    until = next((round_ for round_ in looking.planned if round_ > now), now)
    stage = [row for row in later if row.cell_id in kept and row.round <= until]
    if not _fits(data, cells, stage):
        kept = frozenset()
    return frozenset((row.cell_id, row.round) for row in later if row.cell_id not in kept)


def _going_on(open_: frozenset[str], cells: Cells) -> frozenset[str]:
    """The open cells with their baselines, and the A/A duplicates of those."""
    baselines = {id_ for open_id in open_ if (id_ := cells[open_id].cell.baseline_id) is not None}
    duplicates = {id_ for id_, c in cells.items() if c.cell.is_duplicate and c.cell.baseline_id in baselines}
    return open_ | baselines | duplicates


def _restarts_a_round(data: ChartInput) -> float:
    """Seconds of server starts that the plan reckons for each round; 0 in plans of before there were any."""
    if data.plan.restart_every is None:
        return 0.0
    feasible = (cell.levels for cell in data.plan.cells if cell.infeasible is None)
    return max(0.0, data.plan.estimate.round_seconds - sum(map(trial_seconds, feasible)))


def _fits(data: ChartInput, cells: Cells, stage: Sequence[TrialRow]) -> bool:
    """Whether the planned time of what was carried out and of the next stage is in budget.

    Of trials, of the preparation, and of a server start for its share of each round.
    """
    stopping = data.experiment.stopping
    if stopping is None or stopping.budget_minutes is None:
        return True
    spent = [row for row in data.trials if row.state in ("done", "failed")]
    taken = (*spent, *stage)
    seconds = sum(trial_seconds(cells[row.cell_id].cell.levels) for row in taken)
    seconds += _restarts_a_round(data) * max((row.round for row in taken), default=0)
    return data.plan.estimate.preparation_seconds + seconds <= 60 * stopping.budget_minutes + 1e-6
