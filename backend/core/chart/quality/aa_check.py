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
from backend.core.plan.power import ALPHA
from backend.core.statistics.equivalence import is_equivalent
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.verdict import excludes_one, margin_text, percent, spread

_SUSPECT: Final = "suspect, because one cell was measured twice"
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
        text = f"? ({reason})"
    outcome = aa_outcome(found, margin)
    return DuplicateCheck(
        cell_id=id_,
        metric=metric,
        ratio=None if found is None else found.ratio,
        interval=None if found is None else as_interval(found.interval),
        p=None if found is None else found.p,
        outcome=outcome,
        suspect=outcome == "suspect",
        sentence=f"A/A of {baseline}: {text}; {_conclusion(outcome, margin)}.",
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
    bounds = "no interval with so few rounds"
    if found.interval is not None:
        bounds = f"95 % CI of this duplicate alone {spread(found.interval)}"
    return f"its duplicate differs by {percent(found.ratio)} ({bounds}, p = {found.p:.2g}, {found.n} rounds)"


def _conclusion(outcome: AaOutcome, margin: float) -> str:
    of = f"the margin of {margin_text(margin)}"
    match outcome:
        case "suspect":
            return _SUSPECT
        case "within_margin":
            return f"within {of}"
        case "nothing_shown":
            return f"nothing shown, though a difference below {of} may be there"
        case "cannot_tell":
            return f"cannot tell: it could have missed a difference as large as {of}"


def qualification(checks: Sequence[DuplicateCheck]) -> str | None:
    """The qualification of every figure of a run by its A/A checks; None where there is none.

    A run without duplicates, as an imported one, has no check and so no qualification.
    """
    suspect = sum(check.outcome == "suspect" for check in checks)
    blind = sum(check.outcome == "cannot_tell" for check in checks)
    if suspect:
        return f"{_suspect(suspect, len(checks))}{_blind_too(blind)}"
    if not blind:
        return None
    if blind == len(checks):
        who = "it" if blind == 1 else f"none of the {blind} duplicates"
        verb = "could have missed" if blind == 1 else "could be relied on to find"
        return f"A/A cannot tell whether this run can be trusted: {who} {verb} a difference of the margin."
    return (
        f"{blind} of {len(checks)} A/A duplicates cannot tell whether the run can be trusted: "
        "each could have missed a difference of the margin."
    )


def _suspect(suspect: int, checks: int) -> str:
    therefore = "so that differences in this run may come from the measurement."
    if checks == 1:
        return f"A/A is suspect: the baseline differs from its own duplicate, {therefore}"
    differ = "differ from their" if suspect > 1 else "differs from its"
    return (
        f"A/A is suspect: {suspect} of {checks} baselines {differ} own duplicate (each is tested at 5 %, and "
        f"about 1 in 20 does by chance), {therefore}"
    )


def _blind_too(blind: int) -> str:
    return f" {blind} more cannot tell." if blind else ""


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
    return headline if trust is None else f"{headline} {trust}"


def outcomes_by_cell(
    baselines: Mapping[str, str | None], checks: Sequence[DuplicateCheck]
) -> dict[str, AaOutcome]:
    """The outcome of the A/A check that each cell's comparison rests on: that of its baseline.

    `baselines` gives each cell's baseline by its id, None for a baseline itself.
    """
    found = {baselines.get(check.cell_id): check.outcome for check in checks}
    return {id_: found[own] for id_, base in baselines.items() if (own := base or id_) in found}
