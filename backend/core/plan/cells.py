"""The cells of an experiment: the product of nested factors' levels, minus exclusions, plus inclusions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from operator import or_
from typing import Final, cast

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import DECIDING, FACTORS, Level, applicable
from backend.core.definition.nesting import as_levels, included, united
from backend.core.errors import Invalid, Problem
from backend.core.plan.labels import cell_label
from backend.core.plan.model import DUPLICATE, Cell, Obstacle

Levels = Mapping[str, Level]
Infeasible = Callable[[Levels], Obstacle | None]
"""Why a cell with these levels cannot run, or None."""
Key = tuple[tuple[str, Level], ...]
Axes = Mapping[str, tuple[Level, ...]]
"""The levels of each factor of a product."""

MAX_PRODUCT: Final = 100_000
"""The largest product that is enumerated, before exclusions."""


@dataclass(frozen=True)
class Row:
    """One cell before it is known whether the host can run it: its levels, and the id of its baseline."""

    id: str
    levels: dict[str, Level]
    baseline_id: str


def count_cells(experiment: Experiment) -> int:
    """The size of the product before exclusions, without enumerating it."""
    return _size(_own(experiment))


def count_included(experiment: Experiment) -> int:
    """The sum of the sizes of the products that `include` rules add; overlaps count several times."""
    return sum(_size(axes) for axes in _included(experiment))


def _own(experiment: Experiment) -> Axes:
    return {name: levels for name in FACTORS if (levels := experiment.factors.levels(name))}


def _included(experiment: Experiment) -> list[Axes]:
    """The levels whose product each `include` rule adds."""
    own = _own(experiment)
    return [_axes(included(own, rule)) for rule in experiment.include]


def _axes(levels: Mapping[str, object]) -> Axes:
    """The levels of a validated document."""
    return {name: cast(tuple[Level, ...], as_levels(found)) for name, found in levels.items()}


def _size(axes: Axes) -> int:
    """The size of a product; enumerates only the factors that others need."""
    others = [name for name in FACTORS if name not in DECIDING]
    total = 0
    for chosen in _walk(axes, DECIDING):
        free = (name for name in others if FACTORS[name].applies(chosen))
        total += prod(len(axes[name]) for name in free)
    return total


def _walk(axes: Axes, names: Sequence[str]) -> Iterator[dict[str, Level]]:
    """Every combination of the levels of these factors; a factor that does not apply has no level."""

    def extended(chosen: dict[str, Level], place: int) -> Iterator[dict[str, Level]]:
        if place == len(names):
            yield chosen
        elif FACTORS[names[place]].applies(chosen):
            for level in axes[names[place]]:
                yield from extended({**chosen, names[place]: level}, place + 1)
        else:
            yield from extended(chosen, place + 1)

    return extended({}, 0)


def enumerate_rows(experiment: Experiment) -> tuple[Row, ...]:
    """The cells of the product after exclusions, in its order, then the included ones, each with its
    baseline.

    Rules that exclude come first: an included cell is never excluded. Raises Invalid for a rule that excludes
    nothing or a needed baseline, a rule that includes nothing new, and a cell without a baseline.
    """
    product = {_key(levels): levels for levels in _walk(_own(experiment), tuple(FACTORS))}
    dropped = _dropped(experiment, product)
    cells = {key: levels for key, levels in product.items() if key not in dropped}
    rules = _include(experiment, cells)
    if not cells:
        detail = "the rules exclude every cell; remove one of them"
        raise Invalid.at("/exclude", "excludes_everything", detail)
    ids = {key: f"c{number}" for number, key in enumerate(cells, start=1)}
    against = _Against(experiment)
    rows = []
    for key, levels in cells.items():
        wanted = against.baseline_of(levels)
        if wanted not in ids:
            raise Invalid((against.missing(levels, dict(wanted), dropped.get(wanted), rules.get(key)),))
        rows.append(Row(ids[key], dict(levels), ids[wanted]))
    return tuple(rows)


def _include(experiment: Experiment, cells: dict[Key, dict[str, Level]]) -> dict[Key, int]:
    """Adds the included cells to `cells`; returns the index of the rule of each of them."""
    rules: dict[Key, int] = {}
    for index, axes in enumerate(_included(experiment)):
        new = {k: levels for levels in _walk(axes, tuple(FACTORS)) if (k := _key(levels)) not in cells}
        if not new:
            detail = (
                "every cell that this rule adds exists already; remove the rule, or name a level that the "
                "other cells do not have"
            )
            raise Invalid.at(f"/include/{index}", "includes_nothing", detail)
        cells |= new
        rules |= dict.fromkeys(new, index)
    return rules


def _key(levels: Levels) -> Key:
    return tuple((name, levels[name]) for name in FACTORS if name in levels)


def _dropped(experiment: Experiment, product: Mapping[Key, Levels]) -> dict[Key, int]:
    """The excluded cells, each with the index of the first rule that matches it."""
    keys, dropped, left = list(product), dict[Key, int](), (1 << len(product)) - 1
    having = _having(product.values(), {name for rule in experiment.exclude for name in rule})
    for index, rule in enumerate(experiment.exclude):
        matching = (1 << len(product)) - 1
        for name, levels in rule.items():
            matching &= reduce(or_, (having.get((name, level), 0) for level in levels))
        if not matching:
            detail = "this rule matches no cell of the experiment; remove it, or name levels of one cell"
            raise Invalid.at(f"/exclude/{index}", "excludes_nothing", detail)
        dropped |= dict.fromkeys((keys[place] for place in _places(matching & left)), index)
        left &= ~matching
    return dropped


def _having(cells: Collection[Levels], names: Iterable[str]) -> dict[tuple[str, Level], int]:
    """For each level of these factors a bit set of the cells that have it: bit n for the n-th cell.

    A rule then takes a few operations on integers for any number of cells.
    """
    bits: defaultdict[tuple[str, Level], bytearray] = defaultdict(lambda: bytearray(len(cells) // 8 + 1))
    for name in names:
        for place, levels in enumerate(cells):
            if name in levels:
                bits[name, levels[name]][place >> 3] |= 1 << (place & 7)
    return {level: int.from_bytes(found, "little") for level, found in bits.items()}


def _places(bits: int) -> Iterator[int]:
    """The indices of the set bits, from 0."""
    for start, byte in enumerate(bits.to_bytes(bits.bit_length() // 8 + 1, "little")):
        if byte:
            yield from (8 * start + bit for bit in range(8) if byte >> bit & 1)


class _Against:
    """Finds the baseline of each cell, by the experiment's `baseline`."""

    def __init__(self, experiment: Experiment) -> None:
        self._baseline, self._pointer = experiment.baseline, experiment.question_pointer
        self._levels = _axes(united([_own(experiment), *_included(experiment)]))
        self._single = {name: found[0] for name, found in self._levels.items() if len(found) == 1}

    def baseline_of(self, levels: Levels) -> Key:
        """The key of the baseline of a cell.

        A factor that applies to the baseline but not to the cell has its only level in the experiment.
        """
        return _key(applicable({**self._single, **levels, **self._baseline}))

    def missing(self, levels: Levels, wanted: Levels, excluded: int | None, included: int | None) -> Problem:
        """The problem of a missing baseline, at the rule that excluded it or the rule that included the
        cell."""
        varied = tuple(name for name in FACTORS if len(self._levels.get(name, ())) > 1)
        cell, baseline = cell_label(levels, varied), cell_label(wanted, varied)
        if included is not None:
            detail = f"{cell} has no baseline; include {baseline} too, or remove this rule"
            return Problem(f"/include/{included}", "baseline_missing", detail)
        if excluded is not None:
            detail = (
                f"this rule excludes {baseline}, the baseline of {cell}; exclude that cell too, or keep both"
            )
            return Problem(f"/exclude/{excluded}", "excludes_baseline", detail)
        open_ = [n for n in varied if n not in wanted and n not in levels and FACTORS[n].applies(wanted)]
        named = ", ".join(open_) or "a factor that decides it"
        detail = f"{cell} has no baseline; name one level of {named} in baseline"
        return Problem(self._pointer, "baseline_missing", detail)


def varied_factors(rows: Sequence[Row]) -> tuple[str, ...]:
    """The factors that have more than one level among the cells, in the order of FACTORS."""
    return _varied([row.levels for row in rows])


def _varied(cells: Sequence[Levels]) -> tuple[str, ...]:
    return tuple(name for name in FACTORS if len({levels[name] for levels in cells if name in levels}) > 1)


def judge_cells(
    rows: Sequence[Row], infeasible: Infeasible, compare: str | None = None
) -> tuple[tuple[Cell, ...], dict[str, Obstacle]]:
    """The cells, each feasible baseline followed by its A/A duplicate, and the obstacles by cell id.

    Where the levels of one factor are compared, every cell of the first level is a baseline: only the first
    one that another cell is compared with has a duplicate.
    """
    varied = varied_factors(rows)
    judged = ((row.id, infeasible(dict(row.levels))) for row in rows)
    obstacles = {id_: obstacle for id_, obstacle in judged if obstacle is not None}
    twice = set(_duplicated(rows, obstacles)[: 1 if compare else None])
    cells: list[Cell] = []
    for row in rows:
        obstacle = obstacles.get(row.id)
        own = row.baseline_id == row.id
        cell = Cell(
            id=row.id,
            label=_label(row.levels, varied, False),
            levels=row.levels,
            is_baseline=own,
            is_duplicate=False,
            baseline_id=None if own else row.baseline_id,
            infeasible=None if obstacle is None else obstacle.detail,
        )
        cells.append(cell)
        if row.id in twice:
            cells.append(_duplicate(cell, varied))
    return tuple(cells), obstacles


def _duplicated(rows: Sequence[Row], obstacles: Mapping[str, Obstacle]) -> list[str]:
    """The feasible baselines, those that a feasible cell is compared with first."""
    able = [row for row in rows if row.id not in obstacles]
    used = {row.baseline_id: None for row in able if row.baseline_id != row.id}
    own = {row.id for row in able}
    return [id_ for id_ in (*used, *(row.baseline_id for row in able)) if id_ in own]


def relabelled(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of one plan with the labels of this version."""
    varied = _varied([cell.levels for cell in cells])
    return tuple(replace(cell, label=_label(cell.levels, varied, cell.is_duplicate)) for cell in cells)


def _label(levels: Levels, varied: Iterable[str], is_duplicate: bool) -> str:
    return cell_label(levels, varied) + (" (A/A)" if is_duplicate else "")


def _duplicate(cell: Cell, varied: Iterable[str]) -> Cell:
    return replace(
        cell,
        id=f"{cell.id}{DUPLICATE}",
        label=_label(cell.levels, varied, True),
        is_baseline=False,
        is_duplicate=True,
        baseline_id=cell.id,
    )
