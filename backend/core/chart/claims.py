"""The claims of a published study, held against this run's own intervals.

Reproduced: the interval lies wholly where the claim says; contradicted: wholly outside; undecided
otherwise. Intervals are 95 % each and unadjusted, and each detail names what was tested.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Literal

from backend.core.chart.comparisons import estimate
from backend.core.chart.model import Claim
from backend.core.chart.published import repeating_cell
from backend.core.chart.summaries import role_cores
from backend.core.chart.trials import CellTrials
from backend.core.definition.factors import Level
from backend.core.definition.metrics import METRICS
from backend.core.definition.studies.model import (
    ClosenessClaim,
    PublishedStudy,
    RatioClaim,
    RoleClaim,
    StudyClaim,
)
from backend.core.statistics.median import median_interval
from backend.core.statistics.paired import Bounds, Undefined
from backend.core.statistics.verdict import spread

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
    found = estimate(cell, against, metric)
    if found.interval is None:
        raise Undefined(f"{found.n} rounds with both cells are too few for a 95 % interval, which needs 6")
    return found.ratio, found.interval, found.n


def _place(interval: Bounds, low: float, high: float) -> Outcome:
    if low <= interval[0] and interval[1] <= high:
        return "reproduced"
    return "contradicted" if interval[1] < low or interval[0] > high else "undecided"


def _figures(ratio: float, interval: Bounds) -> str:
    return f"{ratio:.3f} (95 % CI {interval[0]:.3f} to {interval[1]:.3f})"


def _ratio(study: PublishedStudy, claim: RatioClaim, cells: Cells) -> tuple[Outcome, str]:
    cell, against = _cell(study, cells, claim.cell), _cell(study, cells, claim.against)
    ratio, interval, n = _interval(cell, against, claim.metric)
    detail = (
        f"{METRICS[claim.metric].label}, {cell.cell.label} ÷ {against.cell.label}, paired within {n} rounds: "
        f"{_figures(ratio, interval)}, a change of {spread(interval)}; counts as reproduced if the whole "
        f"interval is at most {claim.at_most:g}, as contradicted if all of it is above."
    )
    return _place(interval, 0.0, claim.at_most), detail


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
    values = [cores for row in trials.used if (cores := role_cores(row, claim.role)) is not None]
    if not values:
        raise Undefined(f"{trials.cell.label} has no trial that counts")
    centre = median_interval(values)
    if centre.low is None or centre.high is None:
        raise Undefined(f"{centre.n} trials are too few for a 95 % interval of the median, which needs 6")
    detail = (
        f"CPU of the {claim.role} in {trials.cell.label}: median {centre.median:.2f} cores "
        f"(95 % CI {centre.low:.2f} to {centre.high:.2f}, {centre.n} trials); counts as reproduced if the "
        f"whole interval is at least {claim.at_least:g} of a core, as contradicted if all of it is below."
    )
    return _place((centre.low, centre.high), claim.at_least, float("inf")), detail
