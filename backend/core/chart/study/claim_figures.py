"""The figures of a run that test the claims of a published study, before their intervals."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.pairing import series_of_pair
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
from backend.core.statistics.paired import Bounds, Undefined, paired_ratio
from backend.core.statistics.verdict import spread

Series = Mapping[int, float]


@dataclass(frozen=True)
class Figure:
    """One figure of a claim: a ratio paired by round (`base` is given), or a median of the trials' values.

    `what` names it; `cores`: a median has the unit "cores".
    """

    what: str
    own: Series
    base: Series | None = None
    cores: bool = False

    @property
    def n(self) -> int:
        """The number of its rounds or trials."""
        return len(self.own) if self.base is None else len(self.own.keys() & self.base.keys())

    @property
    def centre(self) -> float:
        """The estimate."""
        if self.base is None:
            return statistics.median(self.own.values())
        rounds = sorted(self.own.keys() & self.base.keys())
        return paired_ratio([self.base[r] for r in rounds], [self.own[r] for r in rounds]).ratio

    def text(self, interval: Bounds) -> str:
        """The figure with its interval."""
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
            named = [_cell(study, cells, levels) for levels in claim.cells]
            return tuple(_ratio(cell, against, claim.metric) for against, cell in combinations(named, 2))
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
    name = named(key("metric", metric), METRICS[metric].label)
    what = message("claimRatioOf", metric=name, cell=cell.cell.label, other=against.cell.label)
    figure = Figure(what, own, base)
    if figure.n == 0:
        raise Undefined("no round has a value of both")
    _ = figure.centre  # raises Undefined where no ratio exists
    return figure


def _role(claim: RoleClaim, trials: CellTrials) -> Figure:
    values = {row.round: value for row in trials.used if (value := _share_of(row, claim)) is not None}
    if not values:
        raise Undefined(f"{trials.cell.label} has no trial that counts")
    if claim.per is None:
        what = message("claimCpuOf", role=_name(claim.role), cell=trials.cell.label)
        return Figure(what, values, cores=True)
    figures = {"role": _name(claim.role), "per": _name(claim.per), "cell": trials.cell.label}
    return Figure(message("claimCpuPer", **figures), values)


def _name(role: str) -> str:
    return named(key("role", role), role)


def _share_of(row: TrialRow, claim: RoleClaim) -> float | None:
    """One trial's cores of a role, or its multiple of another role's."""
    own = role_cores(row, claim.role)
    if own is None or claim.per is None:
        return own
    other = role_cores(row, claim.per)
    return own / other if other else None


def _spread(claim: SpreadClaim, trials: CellTrials) -> Figure:
    values = dict(_unevenness(claim, trials))
    if not values and trials.used:
        raise Undefined(f"no trial of {trials.cell.label} has the CPU of more than one {claim.process}")
    if not values:
        raise Undefined(f"{trials.cell.label} has no trial that counts")
    return Figure(message("claimSpread", process=claim.process, cell=trials.cell.label), values)


def _unevenness(claim: SpreadClaim, trials: CellTrials) -> Iterator[tuple[int, float]]:
    for row in trials.used:
        cores = process_cores(row, claim.process)
        count = max(len(cores), int(trials.cell.levels.get(claim.count, 0)))
        if count > 1 and sum(cores) > 0:
            yield row.round, cores[0] * count / sum(cores)
