"""The spread between server starts, from A/A pairs: nested variance components by the method of moments.

The baseline b and its duplicate a have equal levels on two servers. In round r of run and block g

    d = ln a − ln b = (start of a in g − start of b in g) + (noise of a in r − noise of b in r)

so that of Var d the part 2 between² is common to a group of rounds that the same two starts serve, and the
part 2 within² is not. With G groups, N pairs, n₀ = N ÷ G and Q = Σ n_g × (mean of d in g)², where the mean of
d is zero by design:

    within²  = Σ (d − mean of its group)² ÷ 2 (N − G)
    between² = (Q ÷ 2 G − within²) ÷ n₀, and 0 where that is negative

(one-way random effects; Searle, Casella and McCulloch 1992, section 3.6). Where each start serves one round,
N = G gives no estimate of within². It is then estimated from cells that one start serves in the same round:
the residual of ln x after the means of round and cell is noise alone.

`between_upper` is √(Q ÷ 2 n₀ ÷ χ²(0.10; G)): a one-sided 90 % bound of between² + within² ÷ n₀ for normal
effects. It does not subtract the noise, of which other cells may have more than the baseline: it is a
conservative bound of `between`, and moves the choice of `core.plan.restarts` towards more restarts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import scipy

from backend.core.plan.model import DUPLICATE
from backend.core.plan.restarts import FEWEST_STARTS, StartSpread

UPPER: Final = 0.10
FEWEST_WITHIN: Final = 4
"""The fewest degrees of freedom from which the noise of one trial is estimated."""


@dataclass(frozen=True)
class ServedValue:
    """The value of one trial (above 0), with its run, round and cell, and the server start that served it."""

    run: str
    round: int
    cell_id: str
    server: str
    value: float


@dataclass(frozen=True)
class Components:
    """The spreads of StartSpread; None where there are too few pairs to estimate one."""

    between: float | None
    between_upper: float | None
    within: float | None
    starts: int
    runs: int


def start_spread(values: Iterable[ServedValue]) -> StartSpread | None:
    """The spreads that the choice of restarts needs; None where one of them cannot be estimated."""
    found = components(list(values))
    if found.between is None or found.between_upper is None or found.within is None:
        return None
    return StartSpread(found.between, found.between_upper, found.within, found.starts, found.runs)


def components(values: Sequence[ServedValue]) -> Components:
    """The spreads between and within server starts, as standard deviations of ln x."""
    groups = _pairs(values)
    runs = len({run for run, *_ in groups})
    squares, freedom = _noise_of_pairs(groups.values())
    more, others = _noise_of_cells(values)
    squares, freedom = squares + more, freedom + others
    within = math.sqrt(squares / freedom) if freedom >= FEWEST_WITHIN else None
    if len(groups) < FEWEST_STARTS:
        return Components(None, None, within, len(groups), runs)
    common = sum(len(found) * fmean(found) ** 2 for found in groups.values())
    size = sum(map(len, groups.values())) / len(groups)
    upper = math.sqrt(common / (2 * size * float(scipy.stats.chi2.ppf(UPPER, len(groups)))))
    between = None if within is None else math.sqrt(max(0.0, common / (2 * len(groups)) - within**2) / size)
    return Components(between, upper, within, len(groups), runs)


def _pairs(values: Sequence[ServedValue]) -> dict[tuple[str, str, str], list[float]]:
    """The differences of A/A pairs by run and the two starts that served them."""
    by_place = {(v.run, v.round, v.cell_id): v for v in values}
    found: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for (run, round_, cell), base in by_place.items():
        twin = by_place.get((run, round_, f"{cell}{DUPLICATE}"))
        if twin is not None and twin.server != base.server:
            found[run, base.server, twin.server].append(math.log(twin.value / base.value))
    return dict(found)


def _noise_of_pairs(groups: Iterable[Sequence[float]]) -> tuple[float, int]:
    """Sum of squares and degrees of freedom of the noise of one trial, from rounds that share both starts."""
    squares, freedom = 0.0, 0
    for found in groups:
        middle = fmean(found)
        squares += sum((d - middle) ** 2 for d in found) / 2
        freedom += len(found) - 1
    return squares, freedom


def _noise_of_cells(values: Sequence[ServedValue]) -> tuple[float, int]:
    """The same from cells that one start serves in the same round: a two-way table for each set of cells."""
    squares, freedom = 0.0, 0
    for table in _tables(values):
        rounds, cells = len(table), len(table[0])
        rows = [[y - fmean(row) for y in row] for row in table]
        columns = [fmean(column) for column in zip(*rows, strict=True)]
        squares += sum((y - mean) ** 2 for row in rows for y, mean in zip(row, columns, strict=True))
        freedom += (rounds - 1) * (cells - 1)
    return squares, freedom


def _tables(values: Sequence[ServedValue]) -> Iterator[list[list[float]]]:
    """Logarithms by round and cell, one table for each set of cells that were served together."""
    served: defaultdict[tuple[str, str, int], list[ServedValue]] = defaultdict(list)
    for value in values:
        served[value.run, value.server, value.round].append(value)
    tables: defaultdict[tuple[str, tuple[str, ...]], list[list[float]]] = defaultdict(list)
    for (run, *_), together in served.items():
        ordered = sorted(together, key=lambda value: value.cell_id)
        if len(ordered) > 1:
            cells = tuple(value.cell_id for value in ordered)
            tables[run, cells].append([math.log(value.value) for value in ordered])
    yield from (table for table in tables.values() if len(table) > 1)
