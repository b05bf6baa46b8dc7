"""The planned interim analyses of a run with `stopping`: fixed by the document before the run starts."""

from __future__ import annotations

from backend.core.definition.experiment import Experiment


def last_round(experiment: Experiment) -> int:
    """The number of planned rounds; a cell that no interim analysis decides runs in all of them."""
    return experiment.rounds if experiment.stopping is None else experiment.stopping.at_most


def interim_rounds(experiment: Experiment) -> tuple[int, ...]:
    """The rounds after which an interim analysis is planned: `rounds`, then `every` so many, and `at_most`.

    Empty without `stopping`.
    """
    stopping = experiment.stopping
    if stopping is None:
        return ()
    return (*range(experiment.rounds, stopping.at_most, stopping.every), stopping.at_most)
