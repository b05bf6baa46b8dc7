"""The cells of an experiment: the product of the levels over nested factors, less what it excludes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import DECIDING, FACTORS, Level, applicable
from backend.core.errors import Invalid, Problem
from backend.core.plan.labels import cell_label
from backend.core.plan.model import Cell, Obstacle

Levels = Mapping[str, Level]
Infeasible = Callable[[Levels], Obstacle | None]
"""Why a cell with these levels cannot run, or None."""
Key = tuple[tuple[str, Level], ...]

MAX_PRODUCT: Final = 100_000
"""No larger product is enumerated, whatever may be excluded from it."""


@dataclass(frozen=True)
class Row:
    """One cell before it is judged: its levels, and those of the cell that it is compared with."""

    id: str
    levels: dict[str, Level]
    baseline_id: str


def count_cells(experiment: Experiment) -> int:
    """The size of the product before exclusions, without enumerating it.

    Only the deciding factors are walked; beside each of their combinations the others vary freely.
    """
    others = [name for name in FACTORS if name not in DECIDING]
    total = 0
    for chosen in _walk(experiment, DECIDING):
        free = (name for name in others if FACTORS[name].applies(chosen))
        total += prod(len(experiment.factors.levels(name)) for name in free)
    return total


def _walk(experiment: Experiment, names: Sequence[str]) -> Iterator[dict[str, Level]]:
    """Every combination of the levels of these factors; where one does not apply, it has no level."""

    def extended(chosen: dict[str, Level], place: int) -> Iterator[dict[str, Level]]:
        if place == len(names):
            yield chosen
        elif FACTORS[names[place]].applies(chosen):
            for level in experiment.factors.levels(names[place]):
                yield from extended({**chosen, names[place]: level}, place + 1)
        else:
            yield from extended(chosen, place + 1)

    return extended({}, 0)


def enumerate_rows(experiment: Experiment) -> tuple[Row, ...]:
    """Every cell that is left, in the order of the product, each with its baseline.

    Raises Invalid: a rule that excludes nothing or a baseline that is needed, a cell without a baseline.
    """
    product = {_key(levels): levels for levels in _walk(experiment, tuple(FACTORS))}
    dropped = _dropped(experiment, product)
    kept = [key for key in product if key not in dropped]
    if not kept:
        detail = "the rules exclude every cell; remove one of them"
        raise Invalid.at("/exclude", "excludes_everything", detail)
    ids = {key: f"c{number}" for number, key in enumerate(kept, start=1)}
    rows = []
    for key in kept:
        wanted = _baseline_of(experiment, product[key])
        if wanted not in ids:
            raise Invalid((_no_baseline(experiment, product[key], dict(wanted), dropped.get(wanted)),))
        rows.append(Row(ids[key], product[key], ids[wanted]))
    return tuple(rows)


def _key(levels: Levels) -> Key:
    return tuple((name, levels[name]) for name in FACTORS if name in levels)


def _dropped(experiment: Experiment, product: Mapping[Key, Levels]) -> dict[Key, int]:
    """The excluded cells, each with the index of the first rule that names it."""
    dropped: dict[Key, int] = {}
    for index, rule in enumerate(experiment.exclude):
        matching = [key for key, levels in product.items() if _matches(rule, levels)]
        if not matching:
            detail = "this rule matches no cell of the experiment; remove it, or name levels that go together"
            raise Invalid.at(f"/exclude/{index}", "excludes_nothing", detail)
        for key in matching:
            dropped.setdefault(key, index)
    return dropped


def _matches(rule: Mapping[str, tuple[Level, ...]], levels: Levels) -> bool:
    return all(name in levels and levels[name] in wanted for name, wanted in rule.items())


def _baseline_of(experiment: Experiment, levels: Levels) -> Key:
    """The cell that a cell is compared with.

    A factor that applies to the baseline alone has the only level that the experiment gives it.
    """
    single = {name: found[0] for name in FACTORS if len(found := experiment.factors.levels(name)) == 1}
    return _key(applicable({**single, **levels, **experiment.baseline}))


def _no_baseline(experiment: Experiment, levels: Levels, wanted: Levels, rule: int | None) -> Problem:
    varied = _varied([levels, wanted, *({n: v} for n in FACTORS for v in experiment.factors.levels(n))])
    cell, baseline = cell_label(levels, varied), cell_label(wanted, varied)
    if rule is not None:
        detail = f"this rule excludes {baseline}, the baseline of {cell}; exclude that cell too, or keep both"
        return Problem(f"/exclude/{rule}", "excludes_baseline", detail)
    open_ = [
        name
        for name in FACTORS
        if name not in wanted
        and name not in levels
        and len(experiment.factors.levels(name)) > 1
        and FACTORS[name].applies(wanted)
    ]
    named = ", ".join(open_) or "a factor that decides it"
    detail = f"{cell} has no baseline to be compared with; name one level of {named} in the baseline"
    return Problem("/baseline", "baseline_missing", detail)


def varied_factors(rows: Sequence[Row]) -> tuple[str, ...]:
    """The factors that have more than one level among the cells, in the order of FACTORS."""
    return _varied([row.levels for row in rows])


def _varied(cells: Sequence[Levels]) -> tuple[str, ...]:
    return tuple(name for name in FACTORS if len({levels[name] for levels in cells if name in levels}) > 1)


def judge_cells(rows: Sequence[Row], infeasible: Infeasible) -> tuple[tuple[Cell, ...], dict[str, Obstacle]]:
    """The cells, each baseline that can run followed by its A/A duplicate, and what stands in the way."""
    varied = varied_factors(rows)
    obstacles: dict[str, Obstacle] = {}
    baselines = {row.baseline_id for row in rows}
    cells: list[Cell] = []
    for row in rows:
        obstacle = infeasible(dict(row.levels))
        if obstacle is not None:
            obstacles[row.id] = obstacle
        own = row.baseline_id == row.id
        cell = Cell(
            id=row.id,
            label=cell_label(row.levels, varied),
            levels=row.levels,
            is_baseline=own,
            is_duplicate=False,
            baseline_id=None if own else row.baseline_id,
            infeasible=None if obstacle is None else obstacle.detail,
        )
        cells.append(cell)
        if row.id in baselines and obstacle is None:
            cells.append(_duplicate(cell))
    return tuple(cells), obstacles


def _duplicate(cell: Cell) -> Cell:
    return replace(
        cell,
        id=f"{cell.id}-aa",
        label=f"{cell.label} (A/A)",
        is_baseline=False,
        is_duplicate=True,
        baseline_id=cell.id,
    )
