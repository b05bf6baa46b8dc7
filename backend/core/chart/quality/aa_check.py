"""The A/A check: what a baseline and its duplicate, the same cell measured twice, say about a run.

Exactly one of four outcomes for each duplicate, in this order:

- suspect: at 5 % the two differ, p and the 95 % interval agreeing;
- within the margin: equivalence is shown, the 90 % interval lies inside the margin;
- cannot tell: too few rounds for an interval, or a spread so wide that a difference as large as the margin
  would not have been found: the observed interval, moved to that difference, still holds 1;
- nothing shown: none of these.

It is a safety check, so its error to avoid is a missed fault, and no correction for several comparisons makes
it milder: each duplicate is tested at its own 5 %, over all rounds, once. Of many duplicates one in twenty is
suspect by chance, which the qualification states with its counts (docs/decisions/0021).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median
from typing import Final

from backend.core.chart.cells.corrected_estimate import as_difference
from backend.core.chart.cells.pairing import deciding_metrics, pair
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.model_base import as_interval
from backend.core.chart.model.quality_models import AaOutcome, DuplicateCheck
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import joined, message
from backend.core.plan.power import ALPHA
from backend.core.statistics.amounts import signed_amounts, signed_range
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.ratio_estimate import Bounds, RatioEstimate, Undefined
from backend.core.statistics.verdict import excludes_one, excludes_zero, margin_text, percent, spread

_DECIDED: Final = frozenset(("better", "worse"))
_JUDGED: Final = _DECIDED | {"different_within_margin", "equivalent", "no_difference_shown"}


def aa_checks(cells: Cells, metrics: Sequence[str], margin: float) -> Iterator[DuplicateCheck]:
    """One check for each A/A duplicate, by the first metric that its tool yields."""
    metrics_by_id = deciding_metrics(cells, metrics)
    for id_, trials in cells.items():
        if trials.cell.is_duplicate and id_ in metrics_by_id:
            yield _check(id_, cells, metrics_by_id[id_], margin)


def _check(id_: str, cells: Cells, metric: str, margin: float) -> DuplicateCheck:
    trials = cells[id_]
    baseline = cells[trials.cell.baseline_id or id_].cell.label
    found: Estimate | None = None
    unit = METRICS[metric].unit
    try:
        found = pair(trials, cells, metric)
        text = _figures(found, unit)
    except Undefined as reason:
        text = message("verdictUndefined", reason=str(reason))
    level = median(cells[trials.cell.baseline_id or id_].values(metric).values() or [0.0])
    outcome = aa_outcome(found, margin, level)
    ratio = found if isinstance(found, RatioEstimate) else None
    return DuplicateCheck(
        cell_id=id_,
        metric=metric,
        ratio=None if ratio is None else ratio.ratio,
        interval=None if ratio is None else as_interval(ratio.interval),
        p=None if found is None else _p(found),
        difference=as_difference(found, unit) if isinstance(found, DifferenceEstimate) else None,
        outcome=outcome,
        suspect=outcome == "suspect",
        sentence=message("aaOf", baseline=baseline, figures=text, conclusion=_conclusion(outcome, margin)),
    )


def aa_outcome(found: Estimate | None, margin: float, level: float = 0.0) -> AaOutcome:
    """The outcome of one duplicate by its comparison with its baseline; None where there is none.

    `level` is the baseline's median: a difference is held against the margin as a share of it.
    """
    if found is None or found.interval is None:
        return "cannot_tell"
    if isinstance(found, DifferenceEstimate):
        return _outcome_of_difference(found, margin * abs(level))
    if _p(found) <= ALPHA and excludes_one(found.interval):
        return "suspect"
    if is_equivalent(found.interval_90, margin):
        return "within_margin"
    return "cannot_tell" if _is_blind(found.ratio, found.interval, margin) else "nothing_shown"


def _outcome_of_difference(found: DifferenceEstimate, margin: float) -> AaOutcome:
    assert found.interval is not None
    if _p(found) <= ALPHA and excludes_zero(found.interval):
        return "suspect"
    if found.is_none:
        return "within_margin"
    low, high = found.interval
    is_blind = low - found.estimate + margin <= 0 or high - found.estimate - margin >= 0
    return "cannot_tell" if is_blind else "nothing_shown"


def _is_blind(ratio: float, interval: Bounds, margin: float) -> bool:
    """Whether the interval would still hold 1 with the ratio at either end of the margin."""
    low, high = interval
    return low / ratio * (1 + margin) <= 1 or high / ratio / (1 + margin) >= 1


def _p(found: Estimate) -> float:
    """The p that decides: it counts ties against a difference, as the interval does."""
    return found.p if found.p_adjusted is None else found.p_adjusted


def _figures(found: Estimate, unit: str) -> str:
    bounds = message("aaNoInterval")
    if isinstance(found, DifferenceEstimate):
        (change,) = signed_amounts((found.estimate,), unit)
        shown = found.interval and signed_range(found.interval, unit)
    else:
        change, shown = percent(found.ratio), found.interval and spread(found.interval)
    if shown:
        bounds = message("aaInterval", range=shown)
    rounds = message("rounds", count=found.n)
    return message("aaFigures", change=change, interval=bounds, p=f"{_p(found):.2g}", rounds=rounds)


def _conclusion(outcome: AaOutcome, margin: float) -> str:
    of = margin_text(margin)
    match outcome:
        case "suspect":
            return message("aaSuspect")
        case "within_margin":
            return message("aaWithin", margin=of)
        case "nothing_shown":
            return message("aaNothing", margin=of)
        case "cannot_tell":
            return message("aaCannotTell", margin=of)


def qualification(checks: Sequence[DuplicateCheck]) -> str | None:
    """The qualification of every figure of a run by its A/A checks; None where there is none.

    A run without duplicates, as an imported one, has no check and so no qualification.
    """
    suspect = sum(check.outcome == "suspect" for check in checks)
    blind = sum(check.outcome == "cannot_tell" for check in checks)
    if suspect:
        more = message("trustBlindToo", n=blind) if blind else None
        return joined((_suspect(suspect, len(checks)), more))
    if not blind:
        return None
    if blind == len(checks):
        return message("trustBlindOne") if blind == 1 else message("trustBlindAll", n=blind)
    return message("trustBlindSome", n=blind, of=len(checks))


def _suspect(suspect: int, checks: int) -> str:
    return message("trustSuspect") if checks == 1 else message("trustSuspectOf", count=suspect, of=checks)


def qualified(
    headline: str,
    cells: Collection[ChartCell],
    metric: str,
    ended: bool,
    checks: Sequence[DuplicateCheck],
) -> str:
    """The headline followed by the qualification: always of a suspect run, else if it rests on any."""
    kinds = {c.comparisons[metric].verdict for c in cells if metric in c.comparisons and not c.is_duplicate}
    rests = any(check.suspect for check in checks) or kinds & (_JUDGED if ended else _DECIDED)
    trust = qualification(checks) if rests else None
    return joined((headline, trust))


def outcomes_by_cell(
    baselines: Mapping[str, str | None], checks: Sequence[DuplicateCheck]
) -> dict[str, AaOutcome]:
    """The outcome of the A/A check that each cell's comparison rests on: that of its baseline.

    `baselines` gives each cell's baseline by its id, None for a baseline itself.
    """
    found = {baselines.get(check.cell_id): check.outcome for check in checks}
    return {id_: found[own] for id_, base in baselines.items() if (own := base or id_) in found}
