"""The figures of a run that test the claims of a published study, before their intervals.

Where a ratio does not exist because a value is zero, a figure is tested by differences: cell − bound × other,
for each bound of its claim.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from backend.core.chart.cells.pairing import series_of_pair, why_without_trials
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.summaries import process_cores, role_cores
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.study.published import repeating_cell
from backend.core.definition.factors import Level
from backend.core.definition.metrics import METRICS
from backend.core.definition.studies.model import (
    ClosenessClaim,
    PublishedStudy,
    RatioClaim,
    RoleClaim,
    SpreadClaim,
    StudyClaim,
    UntestedClaim,
)
from backend.core.messages.message import key, message, named
from backend.core.statistics.amounts import signed_amounts, signed_range
from backend.core.statistics.paired import Bounds, Undefined, paired_ratio
from backend.core.statistics.verdict import spread

Series = Mapping[int, float]
CORES = "cores"


@dataclass(frozen=True)
class DifferenceLabel:
    """A figure without a ratio: the message of a difference, its names, and the unit of both values."""

    id: str
    names: Mapping[str, str]
    unit: str

    def text(self, times: float, estimate: float, interval: Bounds, n: int) -> str:
        """The difference to `times` the other value, with its interval."""
        what = message(self.id, times=f"{times:.4g}", **self.names)
        (value,) = signed_amounts((estimate,), self.unit)
        within = signed_range(interval, self.unit)
        return message("claimDifference", what=what, value=value, range=within, n=str(n))


@dataclass(frozen=True)
class Figure:
    """One figure of a claim: a ratio paired by round (`base` is given), or a median of the trials' values.

    `what` names it; `cores`: a median has the unit "cores". `difference` where a ratio does not exist because
    a value is zero: differences by round are tested in its place.
    """

    what: str
    own: Series
    base: Series | None = None
    cores: bool = False
    difference: DifferenceLabel | None = None

    @property
    def n(self) -> int:
        """The number of its rounds or trials."""
        return len(self.own) if self.base is None else len(self.own.keys() & self.base.keys())

    @property
    def centre(self) -> float:
        """The estimate of a median or ratio."""
        if self.base is None:
            return statistics.median(self.own.values())
        rounds = sorted(self.own.keys() & self.base.keys())
        return paired_ratio([self.base[r] for r in rounds], [self.own[r] for r in rounds]).ratio

    def scaled(self, times: float) -> tuple[Series, Series]:
        """The two sides of a difference: `times` the other value, and the own one."""
        return {round_: times * value for round_, value in (self.base or {}).items()}, self.own

    def text(self, interval: Bounds) -> str:
        """A median or ratio with its interval."""
        digits = 2 if self.base is None else 3
        low, high = (f"{end:.{digits}f}" for end in interval)
        common = {"what": self.what, "low": low, "high": high, "n": str(self.n)}
        if self.base is None:
            id_ = "claimMedianCores" if self.cores else "claimMedian"
            return message(id_, **common, value=f"{self.centre:.2f}")
        return message("claimRatio", **common, ratio=f"{self.centre:.3f}", change=spread(interval))


def figures_of(study: PublishedStudy, claim: StudyClaim, cells: Cells) -> tuple[Figure, ...]:
    """The figures that decide a claim. Raises Undefined with the reason where it cannot be tested."""
    match claim:
        case RatioClaim():
            pair = _cell(study, cells, claim.cell), _cell(study, cells, claim.against)
            return (_ratio(*pair, claim.metric),)
        case ClosenessClaim():
            found = [_cell(study, cells, levels) for levels in claim.cells]
            return tuple(_ratio(cell, against, claim.metric) for against, cell in combinations(found, 2))
        case RoleClaim():
            return (_role(claim, _cell(study, cells, claim.cell)),)
        case SpreadClaim():
            return (_spread(claim, _cell(study, cells, claim.cell)),)
        case UntestedClaim():
            raise Undefined(claim.reason)


def _cell(study: PublishedStudy, cells: Cells, levels: Mapping[str, Level]) -> CellTrials:
    found = repeating_cell(study, cells, levels)
    if found is None:
        wanted = ", ".join(f"{name} {str(level).lower()}" for name, level in levels.items())
        raise Undefined(f"the run has no single cell with {wanted}")
    return found


def _ratio(cell: CellTrials, against: CellTrials, metric: str) -> Figure:
    if cell is against:
        raise Undefined(f"both cells of the claim are {cell.cell.label} here")
    base, own = series_of_pair(cell, {cell.cell.baseline_id or cell.cell.id: against}, metric)
    row = METRICS[metric]
    names = {
        "metric": named(key("metric", metric), row.label),
        "cell": cell.cell.label,
        "other": against.cell.label,
    }
    what = message("claimRatioOf", **names)
    return _paired(what, own, base, DifferenceLabel("claimDifferenceOf", names, row.unit))


def _paired(what: str, own: Series, base: Series, difference: DifferenceLabel) -> Figure:
    """A ratio by round, or its differences where no ratio exists. Raises Undefined without either."""
    rounds = own.keys() & base.keys()
    if not rounds:
        raise Undefined(message("noRoundOfBoth"))
    if not any(own[round_] or base[round_] for round_ in rounds):
        raise Undefined(message("claimBothZero"))
    figure = Figure(what, own, base)
    try:
        _ = figure.centre
    except Undefined:
        return Figure(what, own, base, difference=difference)
    return figure


def _role(claim: RoleClaim, trials: CellTrials) -> Figure:
    own = _complete(trials, dict(_cores_of(trials, claim.role)))
    if claim.per is None:
        what = message("claimCpuOf", role=_name(claim.role), cell=trials.cell.label)
        return Figure(what, own, cores=True)
    other = _complete(trials, dict(_cores_of(trials, claim.per)))
    figures = {"role": _name(claim.role), "per": _name(claim.per), "cell": trials.cell.label}
    what = message("claimCpuPer", **figures)
    if min(other.values()) > 0:
        return Figure(what, {round_: value / other[round_] for round_, value in own.items()})
    return _paired(what, own, other, DifferenceLabel("claimCpuMinus", figures, CORES))


def _name(role: str) -> str:
    return named(key("role", role), role)


def _cores_of(trials: CellTrials, role: str) -> Iterator[tuple[int, float]]:
    for row in trials.used:
        if (cores := role_cores(row, role)) is not None:
            yield row.round, cores


def _complete(trials: CellTrials, values: dict[int, float]) -> dict[int, float]:
    """The values of all trials that count. Raises Undefined where some lack one: the others are no sample."""
    if not trials.used:
        raise Undefined(why_without_trials(trials))
    if not values:
        raise Undefined(message("noTrialYielded"))
    if lacking := len(trials.used) - len(values):
        raise Undefined(message("trialsLackIt", n=lacking, of=len(trials.used), why=""))
    return values


def _spread(claim: SpreadClaim, trials: CellTrials) -> Figure:
    values = dict(_unevenness(claim, trials))
    if not values and trials.used:
        raise Undefined(f"no trial of {trials.cell.label} has the CPU of more than one {claim.process}")
    what = message("claimSpread", process=claim.process, cell=trials.cell.label)
    return Figure(what, _complete(trials, values))


def _unevenness(claim: SpreadClaim, trials: CellTrials) -> Iterator[tuple[int, float]]:
    for row in trials.used:
        cores = process_cores(row, claim.process)
        count = max(len(cores), int(trials.cell.levels.get(claim.count, 0)))
        if count > 1 and sum(cores) > 0:
            yield row.round, cores[0] * count / sum(cores)
