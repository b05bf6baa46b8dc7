"""The cells of an experiment: the full product of the levels, each with its baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import prod

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.labels import cell_label
from backend.core.plan.model import Cell

Infeasible = Callable[[dict[str, Level]], str | None]
"""Why a host cannot run a cell with these levels, or None."""


def count_cells(experiment: Experiment) -> int:
    """The size of the full product, without enumerating it."""
    return prod(len(experiment.factors.levels(name)) for name in FACTORS)


def varied_factors(experiment: Experiment) -> tuple[str, ...]:
    """The factors that have more than one level, in the order of FACTORS."""
    return tuple(name for name in FACTORS if len(experiment.factors.levels(name)) > 1)


def enumerate_cells(experiment: Experiment, infeasible: Infeasible) -> tuple[Cell, ...]:
    """Every cell in the order of the full product, each baseline followed by its A/A duplicate."""
    varied = varied_factors(experiment)
    rows = [
        (f"c{number}", dict(zip(FACTORS, levels, strict=True)))
        for number, levels in enumerate(product(*map(experiment.factors.levels, FACTORS)), start=1)
    ]
    baselines = {_key(levels): id_ for id_, levels in rows if _is_baseline(levels, experiment.baseline)}
    cells: list[Cell] = []
    for id_, levels in rows:
        baseline_id = baselines[_key(levels | experiment.baseline)]
        own = baseline_id == id_
        cell = Cell(
            id=id_,
            label=cell_label(levels, varied),
            levels=levels,
            is_baseline=own,
            is_duplicate=False,
            baseline_id=None if own else baseline_id,
            infeasible=_reason(levels, infeasible),
        )
        cells += [cell, *_duplicate(cell)]
    return tuple(cells)


def _key(levels: dict[str, Level]) -> tuple[Level, ...]:
    return tuple(levels[name] for name in FACTORS)


def _is_baseline(levels: dict[str, Level], baseline: dict[str, Level]) -> bool:
    return all(levels[name] == level for name, level in baseline.items())


def _duplicate(cell: Cell) -> Iterator[Cell]:
    """The A/A duplicate of a baseline that can run."""
    if cell.is_baseline and cell.infeasible is None:
        yield replace(
            cell,
            id=f"{cell.id}-aa",
            label=f"{cell.label} (A/A)",
            is_baseline=False,
            is_duplicate=True,
            baseline_id=cell.id,
        )


def _reason(levels: dict[str, Level], infeasible: Infeasible) -> str | None:
    """Why this cell cannot run. pgbench itself would quietly lower the number of threads."""
    clients, threads = int(levels["clients"]), int(levels["threads"])
    if threads > clients:
        return f"pgbench would silently use only {clients} of {threads} threads: each needs a client"
    return infeasible(dict(levels))
