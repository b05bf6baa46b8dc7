"""The runs of a group as its result needs them: hosts, figures, and the values that may be used for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.chart.across_hosts.hosts_model import MemberState
from backend.core.chart.cells.replicates import means_by_start, rounds_per_start
from backend.core.chart.compare_runs.compared_cells import ComparedCell, RunFigures
from backend.core.chart.interim.stopping import CANCELLED
from backend.core.messages.message import message
from backend.core.plan.model import Cell
from backend.core.plan.states import RUN_ENDED
from backend.core.statistics.paired import Undefined

Values = Mapping[int, float]
"""Values of one cell by round."""


@dataclass(frozen=True)
class HostRun:
    """One host of a group; `run_id` and `figures` are None where its run was deleted."""

    host: str
    run_id: str | None
    state: MemberState
    started_at: str | None
    figures: RunFigures | None

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self.state == "deleted" or self.state in RUN_ENDED

    def cell(self, id_: str) -> ComparedCell | None:
        """The cell of this id; None where the run was deleted."""
        return None if self.figures is None else self.figures.cells.get(id_)

    def takes_part(self, id_: str) -> bool:
        """Whether the host has values of a cell, or can still have some."""
        cell = self.cell(id_)
        if cell is None or cell.cell.infeasible is not None:
            return False
        return cell.missing is None or not self.ended

    def missing(self, id_: str) -> str | None:
        """Why no trial of a cell counts; None where one does."""
        cell = self.cell(id_)
        return message("hostsRunDeleted") if cell is None else cell.missing

    def not_judged_metric(self, id_: str, metric: str) -> str | None:
        """Why a metric of a cell is not judged, as far as some of its trials lack it."""
        cell = self.cell(id_)
        return None if cell is None else cell.not_judged.get(metric)

    def values(self, id_: str, metric: str) -> Values:
        """The values of the run's result."""
        found = self.cell(id_)
        return (
            {} if found is None or self.figures is None else _until(found, metric, self.figures.result_until)
        )

    def paired(self, id_: str, metric: str, until: int | None = None) -> tuple[Values, Values]:
        """The independent values of the cell's baseline and of the cell, by round, up to a round.

        Raises Undefined with the reason where one of them has none.
        """
        assert self.figures is not None
        cell = self.figures.cells[id_]
        base = self.figures.cells[cell.cell.baseline_id or id_]
        for one, of_baseline in ((base, True), (cell, False)):
            reason = one.missing or one.not_judged.get(metric)
            if reason is not None:
                raise Undefined(message("ofTheBaseline", reason=reason) if of_baseline else reason)
        last = until if until is not None else self.figures.result_until
        both = _until(base, metric, last), _until(cell, metric, last)
        return means_by_start(*both, rounds_per_start(cell, base))

    @property
    def not_judged(self) -> str | None:
        """Why this run takes no part in the judgement of disagreement; None where it does.

        Whoever cancels a run may have chosen the moment by its results; only planned analyses are known.
        """
        if self.figures is None:
            return "its run was deleted"
        if self.state == CANCELLED and self.figures.first_interim is None:
            return "its run was cancelled, and the moment may have been chosen by its results"
        return None


def plan_cells(runs: Sequence[HostRun]) -> Iterator[Cell]:
    """The cells of the experiment but the A/A duplicates, in the plan's order.

    All runs have the same cells: a cell that a host cannot run stays in its plan.
    """
    for run in runs:
        if run.figures is not None:
            yield from (one.cell for one in run.figures.cells.values() if not one.cell.is_duplicate)
            return


def _until(cell: ComparedCell, metric: str, last: int | None) -> Values:
    values = cell.values(metric)
    return values if last is None else {r: value for r, value in values.items() if r <= last}
