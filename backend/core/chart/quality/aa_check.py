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
from typing import Final

from backend.core.chart.cells.pairing import deciding_metrics, pair
from backend.core.chart.cells.trials import Cells
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.model_base import as_interval
from backend.core.chart.model.quality_models import AaOutcome, DuplicateCheck
from backend.core.messages.message import joined, message
from backend.core.plan.power import ALPHA
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.verdict import excludes_one, margin_text, percent, spread

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
    found: RatioEstimate | None = None
    try:
        found = pair(trials, cells, metric)
        text = _figures(found)
    except Undefined as reason:
        text = message("verdictUndefined", reason=str(reason))
    outcome = aa_outcome(found, margin)
    return DuplicateCheck(
        cell_id=id_,
        metric=metric,
        ratio=None if found is None else found.ratio,
        interval=None if found is None else as_interval(found.interval),
        p=None if found is None else found.p,
        outcome=outcome,
        suspect=outcome == "suspect",
        sentence=message("aaOf", baseline=baseline, figures=text, conclusion=_conclusion(outcome, margin)),
    )


def aa_outcome(found: RatioEstimate | None, margin: float) -> AaOutcome:
    """The outcome of one duplicate by its ratio to its baseline; None where there is no ratio."""
    if found is None or found.interval is None:
        return "cannot_tell"
    if found.p <= ALPHA and excludes_one(found.interval):
        return "suspect"
    if is_equivalent(found.interval_90, margin):
        return "within_margin"
    return "cannot_tell" if _is_blind(found.ratio, found.interval, margin) else "nothing_shown"


def _is_blind(ratio: float, interval: Bounds, margin: float) -> bool:
    """Whether the interval would still hold 1 with the ratio at either end of the margin."""
    low, high = interval
    return low / ratio * (1 + margin) <= 1 or high / ratio / (1 + margin) >= 1


def _figures(found: RatioEstimate) -> str:
    bounds = message("aaNoInterval")
    if found.interval is not None:
        bounds = message("aaInterval", range=spread(found.interval))
    rounds = message("rounds", count=found.n)
    return message(
        "aaFigures", change=percent(found.ratio), interval=bounds, p=f"{found.p:.2g}", rounds=rounds
    )


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
