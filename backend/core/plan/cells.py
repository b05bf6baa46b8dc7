"""The cells of an experiment: the product of the levels over nested factors, less what it excludes, and
what it includes besides."""

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
"""The levels of every factor whose product is meant."""

MAX_PRODUCT: Final = 100_000
"""No larger product is enumerated, whatever may be excluded from it."""


@dataclass(frozen=True)
class Row:
    """One cell before it is judged: its levels, and those of the cell that it is compared with."""

    id: str
    levels: dict[str, Level]
    baseline_id: str


def count_cells(experiment: Experiment) -> int:
    """The size of the product before exclusions, without enumerating it."""
    return _size(_own(experiment))


def count_included(experiment: Experiment) -> int:
    """The size of the products that rules include, overlaps counted as often as they occur."""
    return sum(_size(axes) for axes in _included(experiment))


def _own(experiment: Experiment) -> Axes:
    return {name: levels for name in FACTORS if (levels := experiment.factors.levels(name))}


def _included(experiment: Experiment) -> list[Axes]:
    """The levels whose product each `include` rule adds."""
    own = _own(experiment)
    return [_axes(included(own, rule)) for rule in experiment.include]


def _axes(levels: Mapping[str, object]) -> Axes:
    """Levels that were checked when the document was read."""
    return {name: cast(tuple[Level, ...], as_levels(found)) for name, found in levels.items()}


def _size(axes: Axes) -> int:
    """Only the deciding factors are walked; beside each of their combinations the others vary freely."""
    others = [name for name in FACTORS if name not in DECIDING]
    total = 0
    for chosen in _walk(axes, DECIDING):
        free = (name for name in others if FACTORS[name].applies(chosen))
        total += prod(len(axes[name]) for name in free)
    return total


def _walk(axes: Axes, names: Sequence[str]) -> Iterator[dict[str, Level]]:
    """Every combination of the levels of these factors; where one does not apply, it has no level."""

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
    """Every cell that is left of the product in its order, then every included one, each with its baseline.

    Rules that exclude come first: an included cell is never excluded.
    Raises Invalid: a rule that excludes nothing or a baseline that is needed, a rule that includes nothing
    new, a cell without a baseline.
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
    """Add to `cells` what the rules include; returns the index of its rule for each of them."""
    rules: dict[Key, int] = {}
    for index, axes in enumerate(_included(experiment)):
        new = {k: levels for levels in _walk(axes, tuple(FACTORS)) if (k := _key(levels)) not in cells}
        if not new:
            detail = (
                "this rule adds no cell that is not there already; remove it, or name a level that the "
                "others do not have"
            )
            raise Invalid.at(f"/include/{index}", "includes_nothing", detail)
        cells |= new
        rules |= dict.fromkeys(new, index)
    return rules


def _key(levels: Levels) -> Key:
    return tuple((name, levels[name]) for name in FACTORS if name in levels)


def _dropped(experiment: Experiment, product: Mapping[Key, Levels]) -> dict[Key, int]:
    """The excluded cells, each with the index of the first rule that names it."""
    keys, dropped, left = list(product), dict[Key, int](), (1 << len(product)) - 1
    having = _having(product.values(), {name for rule in experiment.exclude for name in rule})
    for index, rule in enumerate(experiment.exclude):
        matching = (1 << len(product)) - 1
        for name, levels in rule.items():
            matching &= reduce(or_, (having.get((name, level), 0) for level in levels))
        if not matching:
            detail = "this rule matches no cell of the experiment; remove it, or name levels that go together"
            raise Invalid.at(f"/exclude/{index}", "excludes_nothing", detail)
        dropped |= dict.fromkeys((keys[place] for place in _places(matching & left)), index)
        left &= ~matching
    return dropped


def _having(cells: Collection[Levels], names: Iterable[str]) -> dict[tuple[str, Level], int]:
    """The cells that have each level of these factors: a number whose bit n is set for the n-th of them.

    So that a rule costs a few operations on such numbers, however many cells there are.
    """
    bits: defaultdict[tuple[str, Level], bytearray] = defaultdict(lambda: bytearray(len(cells) // 8 + 1))
    for name in names:
        for place, levels in enumerate(cells):
            if name in levels:
                bits[name, levels[name]][place >> 3] |= 1 << (place & 7)
    return {level: int.from_bytes(found, "little") for level, found in bits.items()}


def _places(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, from 0."""
    for start, byte in enumerate(bits.to_bytes(bits.bit_length() // 8 + 1, "little")):
        if byte:
            yield from (8 * start + bit for bit in range(8) if byte >> bit & 1)


class _Against:
    """Which cell each cell is compared with, by the experiment's baseline."""

    def __init__(self, experiment: Experiment) -> None:
        self._baseline = experiment.baseline
        self._levels = _axes(united([_own(experiment), *_included(experiment)]))
        self._single = {name: found[0] for name, found in self._levels.items() if len(found) == 1}

    def baseline_of(self, levels: Levels) -> Key:
        """The cell that a cell is compared with.

        A factor that applies to the baseline alone has the only level that the experiment gives it.
        """
        return _key(applicable({**self._single, **levels, **self._baseline}))

    def missing(self, levels: Levels, wanted: Levels, excluded: int | None, included: int | None) -> Problem:
        """Why a cell has no baseline: the rule that left it out, or the one that added the cell alone."""
        varied = tuple(name for name in FACTORS if len(self._levels.get(name, ())) > 1)
        cell, baseline = cell_label(levels, varied), cell_label(wanted, varied)
        if included is not None:
            detail = (
                f"{cell} has no baseline to be compared with; include {baseline} too, or remove this rule"
            )
            return Problem(f"/include/{included}", "baseline_missing", detail)
        if excluded is not None:
            detail = (
                f"this rule excludes {baseline}, the baseline of {cell}; exclude that cell too, or keep both"
            )
            return Problem(f"/exclude/{excluded}", "excludes_baseline", detail)
        open_ = [n for n in varied if n not in wanted and n not in levels and FACTORS[n].applies(wanted)]
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
        id=f"{cell.id}{DUPLICATE}",
        label=f"{cell.label} (A/A)",
        is_baseline=False,
        is_duplicate=True,
        baseline_id=cell.id,
    )
