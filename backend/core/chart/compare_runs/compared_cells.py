"""A run as a comparison needs it: the values of its cells by metric and round, without its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pydantic import TypeAdapter

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.pairing import why_without_trials
from backend.core.chart.cells.run_cells import Cells, by_cell, rounds_complete
from backend.core.chart.cells.settings import settings_of
from backend.core.chart.cells.trials import CellTrials, server_of
from backend.core.chart.interim.interim_analysis import replay_interim_analyses
from backend.core.chart.interim.stopping import CANCELLED, analyses_to_correct_for
from backend.core.chart.quality.aa_check import aa_checks, qualification
from backend.core.definition.factors import FACTORS, Level
from backend.core.messages.message import StoredSentence
from backend.core.plan.model import Cell
from backend.core.plan.states import Origin
from backend.core.topology.deployment import ServerSpec

Levels = dict[str, Level]


@dataclass(frozen=True)
class ComparedCell:
    """A cell with its values that count, by metric and round; `missing` says why none of its trials counts,
    `not_judged` by metric why the values of some are no sample.

    `recorded`: a trial of it was recorded, whether it counts or not. `proof_needed` and `restart_every` are
    those of its `CellTrials`. `other_settings` are the kinds and figures of settings that its logs have
    otherwise than the cell (`cells.settings`).
    """

    cell: Cell
    restart_every: int | None
    proof_needed: bool
    recorded: bool
    missing: StoredSentence | None
    by_metric: dict[str, dict[int, float]]
    other_settings: tuple[tuple[str, str], ...] = ()
    not_judged: dict[str, StoredSentence] = field(default_factory=dict)

    @cached_property
    def levels(self) -> Levels:
        """Its complete levels."""
        return complete_levels(self.cell.levels)

    @cached_property
    def server(self) -> ServerSpec | None:
        """The server that serves the cell; None where that is not known."""
        return server_of(self.cell, self.proof_needed, self.restart_every)

    @property
    def every_trial_restarts(self) -> bool:
        """Whether each of its trials has a start of the server to itself."""
        return bool(self.cell.levels.get("fresh_server"))

    def values(self, metric: str) -> Mapping[int, float]:
        """The metric of the trials that count, by round; missing is missing."""
        return self.by_metric.get(metric, {})


ComparedCells = dict[str, ComparedCell]
"""The cells of one run by id, in the plan's order."""


@dataclass(frozen=True)
class RunFigures:
    """Everything that a comparison takes from a run's definition, plan and records.

    `metrics` are those of the experiment, `analyses` the number of planned interim analyses (1 where the
    number of rounds is fixed), `trust` the qualification by the A/A checks, `rounds` the number of complete
    rounds. Cells have values of `metrics`, and of one further metric where the query names one.
    `corrected_for` is the number of analyses over which the run's own intervals hold, of a cancelled run too;
    its result is made of the rounds up to `result_until` (None: all). `first_interim` is the round of the
    first planned interim analysis: nothing was decided before it.
    """

    run_id: str
    name: str
    title: str
    metrics: tuple[str, ...]
    margin: float
    state: str
    origin: Origin
    environment: dict[str, str]
    analyses: int
    trust: StoredSentence | None
    rounds: int
    cells: ComparedCells
    corrected_for: int = 1
    result_until: int | None = None
    first_interim: int | None = None
    seed: int | None = None


_FIGURES: Final[TypeAdapter[RunFigures]] = TypeAdapter(RunFigures)


def figures_of(data: ChartInput, metric: str | None = None) -> RunFigures:
    """What a comparison takes from a run: in the experiment's metrics, and in a further one."""
    experiment, cells = data.experiment, by_cell(data)
    until, corrected_for = _stopping(data, cells)
    metrics = experiment.metrics if metric is None else (*experiment.metrics, metric)
    return RunFigures(
        run_id=data.run_id,
        name=experiment.name,
        title=experiment.title,
        metrics=experiment.metrics,
        margin=experiment.margin,
        state=data.state,
        origin=data.origin,
        environment=dict(data.environment),
        analyses=max(1, len(data.plan.interim_rounds)),
        trust=qualification(tuple(aa_checks(cells, experiment.metrics, experiment.margin))),
        rounds=rounds_complete(cells.values()),
        cells={id_: _compared(trials, metrics) for id_, trials in cells.items()},
        corrected_for=corrected_for,
        result_until=until,
        first_interim=next(iter(data.plan.interim_rounds), None),
        seed=data.seed,
    )


def _stopping(data: ChartInput, cells: Cells) -> tuple[int | None, int]:
    """The last round of a cancelled run's result (None: all), and for how many analyses it is corrected."""
    if data.state != CANCELLED or not data.plan.interim_rounds:
        return None, analyses_to_correct_for(data)
    taken = replay_interim_analyses(data, cells).taken
    return (taken[-1] if taken else None), analyses_to_correct_for(data, len(taken))


def to_json(figures: RunFigures) -> bytes:
    """The figures as JSON."""
    return _FIGURES.dump_json(figures)


def from_json(text: bytes) -> RunFigures:
    """The figures of what `to_json` returned in the same version."""
    return _FIGURES.validate_json(text)


def cells_with_every_metric(cells: Cells) -> ComparedCells:
    """The cells with their values in every metric that any of their trials has."""
    return {
        id_: _compared(trials, tuple({name: None for row in trials.used for name in row.metrics or ()}))
        for id_, trials in cells.items()
    }


def complete_levels(levels: Mapping[str, Level]) -> Levels:
    """Levels of a cell with defaults for the factors that are newer than its definition."""
    found: Levels = {}
    for name, factor in FACTORS.items():
        if name in levels or factor.applies(found):
            found[name] = levels.get(name, factor.default)
    return found


def _compared(trials: CellTrials, metrics: tuple[str, ...]) -> ComparedCell:
    return ComparedCell(
        cell=trials.cell,
        restart_every=trials.restart_every,
        proof_needed=trials.proof_needed,
        recorded=bool(trials.done),
        missing=why_without_trials(trials),
        by_metric={metric: dict(values) for metric in metrics if (values := trials.values(metric))},
        other_settings=settings_of(trials),
        not_judged={metric: why for metric in metrics if (why := trials.why_not_judged(metric))},
    )
