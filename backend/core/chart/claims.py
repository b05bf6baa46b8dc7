"""The claims of a published study, held against this run's own intervals.

Reproduced: the interval lies wholly where the claim says; contradicted: wholly outside; undecided
otherwise. Intervals are 95 % each and unadjusted, and each detail names what was tested.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Final, Literal

from backend.core.chart.comparisons import estimate
from backend.core.chart.inputs import TrialRow
from backend.core.chart.model import Claim
from backend.core.chart.published import repeating_cell
from backend.core.chart.summaries import process_cores, role_cores
from backend.core.chart.trials import CellTrials
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
from backend.core.statistics.median import median_interval
from backend.core.statistics.paired import Bounds, Undefined
from backend.core.statistics.verdict import spread

NO_CELL: Final = "Not tested: the run has no single cell"
"""How the detail of a claim begins that this run cannot test: a study has several tables, a run one."""
Cells = Mapping[str, CellTrials]
Outcome = Literal["reproduced", "contradicted", "undecided"]


def judge(study: PublishedStudy, claim: StudyClaim, cells: Cells) -> Claim:
    """Hold one claim against the run."""
    try:
        match claim:
            case RatioClaim():
                outcome, detail = _ratio(study, claim, cells)
            case ClosenessClaim():
                outcome, detail = _closeness(study, claim, cells)
            case RoleClaim():
                outcome, detail = _role(study, claim, cells)
            case SpreadClaim():
                outcome, detail = _spread(study, claim, cells)
            case UntestedClaim():
                raise Undefined(claim.reason)
    except Undefined as reason:
        outcome, detail = "undecided", f"Not tested: {reason}."
    return Claim(text=claim.text, outcome=outcome, detail=detail)


def _cell(study: PublishedStudy, cells: Cells, levels: Mapping[str, Level]) -> CellTrials:
    found = repeating_cell(study, cells, levels)
    if found is None:
        wanted = ", ".join(f"{name} {str(level).lower()}" for name, level in levels.items())
        raise Undefined(f"the run has no single cell with {wanted}")
    return found


def _interval(cell: CellTrials, against: CellTrials, metric: str) -> tuple[float, Bounds, int]:
    if cell is against:
        raise Undefined(f"both cells of the claim are {cell.cell.label} here")
    found = estimate(cell, against, metric)
    if found.interval is None:
        raise Undefined(f"{found.n} rounds with both cells are too few for a 95 % interval, which needs 6")
    return found.ratio, found.interval, found.n


def _place(interval: Bounds, low: float | None, high: float | None) -> Outcome:
    low, high = low if low is not None else -math.inf, high if high is not None else math.inf
    if low <= interval[0] and interval[1] <= high:
        return "reproduced"
    return "contradicted" if interval[1] < low or interval[0] > high else "undecided"


def _figures(ratio: float, interval: Bounds) -> str:
    return f"{ratio:.3f} (95 % CI {interval[0]:.3f} to {interval[1]:.3f})"


_WHOLE = "counts as reproduced if the whole interval"


def _rule(low: float | None, high: float | None) -> str:
    """What was asked of the interval, in words."""
    if low is None:
        return f"{_WHOLE} is at most {high:g}, as contradicted if all of it is above"
    if high is None:
        return f"{_WHOLE} is at least {low:g}, as contradicted if all of it is below"
    return f"{_WHOLE} lies within {low:g} to {high:g}, as contradicted if all of it lies outside"


def _ratio(study: PublishedStudy, claim: RatioClaim, cells: Cells) -> tuple[Outcome, str]:
    cell, against = _cell(study, cells, claim.cell), _cell(study, cells, claim.against)
    ratio, interval, n = _interval(cell, against, claim.metric)
    detail = (
        f"{METRICS[claim.metric].label}, {cell.cell.label} ÷ {against.cell.label}, "
        f"paired within {n} rounds: {_figures(ratio, interval)}, a change of {spread(interval)}; "
        f"{_rule(claim.at_least, claim.at_most)}."
    )
    return _place(interval, claim.at_least, claim.at_most), detail


def _closeness(study: PublishedStudy, claim: ClosenessClaim, cells: Cells) -> tuple[Outcome, str]:
    low, high = 1 - claim.within, 1 / (1 - claim.within)
    outcomes: set[Outcome] = set()
    parts = []
    for against, cell in combinations([_cell(study, cells, levels) for levels in claim.cells], 2):
        ratio, interval, n = _interval(cell, against, claim.metric)
        outcomes.add(_place(interval, low, high))
        parts.append(f"{cell.cell.label} ÷ {against.cell.label} {_figures(ratio, interval)}, {n} rounds")
    rule = (
        f"Counts as reproduced if every interval lies within {low:.3f} to {high:.3f}, "
        "as contradicted if one lies wholly outside."
    )
    detail = f"{METRICS[claim.metric].label}, paired by round: {'; '.join(parts)}. {rule}"
    if "contradicted" in outcomes:
        return "contradicted", detail
    return ("undecided" if "undecided" in outcomes else "reproduced"), detail


def _role(study: PublishedStudy, claim: RoleClaim, cells: Cells) -> tuple[Outcome, str]:
    trials = _cell(study, cells, claim.cell)
    values = [value for row in trials.used if (value := _share_of(row, claim)) is not None]
    centre, interval, n = _median_of(trials, values)
    what = f"CPU of the {claim.role}" + (f" ÷ CPU of the {claim.per}" if claim.per else "")
    unit = "" if claim.per else " cores"
    detail = (
        f"{what} in {trials.cell.label}: median {centre:.2f}{unit} "
        f"(95 % CI {interval[0]:.2f} to {interval[1]:.2f}, {n} trials); "
        f"{_rule(claim.at_least, claim.at_most)}."
    )
    return _place(interval, claim.at_least, claim.at_most), detail


def _share_of(row: TrialRow, claim: RoleClaim) -> float | None:
    """One trial's cores of a role, or its multiple of another role's."""
    own = role_cores(row, claim.role)
    if own is None or claim.per is None:
        return own
    other = role_cores(row, claim.per)
    return own / other if other else None


def _spread(study: PublishedStudy, claim: SpreadClaim, cells: Cells) -> tuple[Outcome, str]:
    trials = _cell(study, cells, claim.cell)
    values = []
    for row in trials.used:
        cores = process_cores(row, claim.process)
        count = max(len(cores), int(trials.cell.levels.get(claim.count, 0)))
        if count > 1 and sum(cores) > 0:
            values.append(cores[0] * count / sum(cores))
    if not values and trials.used:
        raise Undefined(f"no trial of {trials.cell.label} has the CPU of more than one {claim.process}")
    centre, interval, n = _median_of(trials, values)
    detail = (
        f"CPU of the busiest {claim.process} ÷ that of an even spread in {trials.cell.label}: "
        f"median {centre:.2f} (95 % CI {interval[0]:.2f} to {interval[1]:.2f}, {n} trials); "
        f"{_rule(claim.at_least, None)}."
    )
    return _place(interval, claim.at_least, None), detail


def _median_of(trials: CellTrials, values: list[float]) -> tuple[float, Bounds, int]:
    """The median with its 95 % interval; raises Undefined with the reason."""
    if not values:
        raise Undefined(f"{trials.cell.label} has no trial that counts")
    centre = median_interval(values)
    if centre.low is None or centre.high is None:
        raise Undefined(f"{centre.n} trials are too few for a 95 % interval of the median, which needs 6")
    return centre.median, (centre.low, centre.high), centre.n
