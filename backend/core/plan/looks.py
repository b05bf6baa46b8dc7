"""The looks of a run that spends rounds where they decide: fixed before the start, pure in the document."""

from __future__ import annotations

from backend.core.definition.experiment import Experiment


def last_round(experiment: Experiment) -> int:
    """The number of rounds that trials are planned for: a cell that stays undecided runs in all of them."""
    return experiment.rounds if experiment.stopping is None else experiment.stopping.at_most


def looks_of(experiment: Experiment) -> tuple[int, ...]:
    """The rounds after which the run is looked at: `rounds`, every so many, and `at_most`; none without
    `stopping`."""
    stopping = experiment.stopping
    if stopping is None:
        return ()
    return (*range(experiment.rounds, stopping.at_most, stopping.every), stopping.at_most)
