"""Whether hosts disagree about each cell's ratio to their own baselines: one of three outcomes, in words.

- disagree: the simultaneous interval of two hosts excludes 1;
- cannot tell: fewer than two hosts have enough values, or the interval of some two of them is so wide that a
  difference as large as the margin could have been missed;
- none shown: none of these; smaller differences are possible, and the sentence says up to which size.

Where a value is zero on some host, the hosts' differences to their own baselines are compared instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.across_hosts.hosts_model import Disagreement
from backend.core.chart.model.model_base import Difference, Interval, as_interval
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import joined, message
from backend.core.plan.model import Cell
from backend.core.statistics.amounts import amounts, signed_range
from backend.core.statistics.between_hosts import (
    FEWEST,
    Heterogeneity,
    HostPair,
    HostSample,
    count_pairs,
    heterogeneity,
    host_sample,
)
from backend.core.statistics.paired import UNIT, Undefined, log_ratios
from backend.core.statistics.verdict import (
    confidence,
    is_multiple,
    margin_text,
    multiples,
    percent,
    spread,
)

Samples = dict[str, HostSample]
Reasons = dict[str, str]
"""Why a host takes no part, by host."""
_PAIRS = "pairs of hosts"


def disagreements(
    runs: Sequence[HostRun], cells: Iterable[Cell], metric: str, margin: float
) -> dict[str, Disagreement]:
    """The judgement of each compared cell by its id; all pairs of hosts of all cells are one family."""
    found = {cell.id: _samples(runs, cell, metric) for cell in cells if cell.baseline_id is not None}
    family = count_pairs([of_cell.samples for of_cell in found.values()])
    ended = all(run.ended for run in runs)
    return {id_: _judged(of_cell, family, margin, ended) for id_, of_cell in found.items()}


@dataclass
class _OfCell:
    """The hosts' samples of one cell: logarithmic ratios, or differences in a `unit`.

    `level` is the largest median of a baseline, of which the margin of differences is a share.
    """

    samples: Samples = field(default_factory=dict)
    reasons: Reasons = field(default_factory=dict)
    unit: str | None = None
    level: float = 0.0

    def far(self, margin: float) -> float:
        """A difference as large as the margin, on the scale of the samples."""
        return math.log1p(margin) if self.unit is None else margin * self.level


def _samples(runs: Sequence[HostRun], cell: Cell, metric: str) -> _OfCell:
    found = _OfCell()
    pairs: dict[str, tuple[list[float], list[float]]] = {}
    for run in runs:
        own = _values(run, cell, metric)
        if isinstance(own, str):
            found.reasons[run.host] = own
        else:
            pairs[run.host] = own
    if any(0 in (*base, *values) for base, values in pairs.values()):
        found.unit = METRICS[metric].unit
        found.level = max(abs(median(base)) for base, _ in pairs.values())
    for host, (base, values) in pairs.items():
        sample = _sample(base, values, found.unit is not None)
        if isinstance(sample, str):
            found.reasons[host] = sample
        else:
            found.samples[host] = sample
    return found


def _values(run: HostRun, cell: Cell, metric: str) -> tuple[list[float], list[float]] | str:
    """The host's values of baseline and cell that take part, in pairs, or why there are none.

    Of a run with interim analyses those of the rounds before the first one: a ratio that ended its own
    measurement is too far from 1 on average.
    """
    if run.not_judged is not None or run.figures is None:
        return run.not_judged or ""
    try:
        base, own = run.paired(cell.id, metric, run.figures.first_interim)
    except Undefined as reason:
        return str(reason)
    rounds = sorted(base.keys() & own.keys())
    if not rounds:
        return message("noRoundOfBoth")
    return [base[r] for r in rounds], [own[r] for r in rounds]


def _sample(base: list[float], own: list[float], by_difference: bool) -> HostSample | str:
    if by_difference:
        differences = [b - a for a, b in zip(base, own, strict=True)]
        found = host_sample(differences, max(map(abs, (*base, *own))))
    else:
        try:
            found = host_sample((log_ratios(base, own) * UNIT).tolist())
        except Undefined as reason:
            return str(reason)
    if found is not None:
        return found
    if len(base) < FEWEST:
        return message("hostsFewValues", n=str(len(base)), needed=FEWEST)
    return message("hostsEqualDifferences" if by_difference else "hostsEqualRatios")


def _judged(of_cell: _OfCell, family: int, margin: float, ended: bool) -> Disagreement:
    samples, reasons, unit = of_cell.samples, of_cell.reasons, of_cell.unit
    found = heterogeneity(samples, family)
    hosts = tuple(samples)
    if found is None:
        each = (message("sideReason", side=host, reason=reason) for host, reason in reasons.items())
        why = joined(each, "semicolon")
        sentence: str = (
            message("hostsCannotTellOne", host=hosts[0], why=why)
            if hosts
            else message("hostsCannotTellNone", why=why)
        )
        return Disagreement(outcome="cannot_tell", sentence=sentence, hosts=hosts, family=family)
    pair = found.pairs[0]
    missed = any(one.half_width > of_cell.far(margin) for one in found.pairs)
    outcome = "disagree" if found.differs else "cannot_tell" if missed else "none_shown"
    sentence = _sentence(found, len(hosts), family, margin, missed, unit)
    if reasons:
        left = joined((message("hostsReason", host=h, reason=why) for h, why in reasons.items()), "semicolon")
        sentence = joined((sentence, message("hostsWithout" if ended else "hostsWithoutSoFar", hosts=left)))
    low, high = found.spread_interval
    return Disagreement(
        outcome=outcome,
        sentence=sentence,
        hosts=hosts,
        family=family,
        p_adjusted=found.p_adjusted,
        apart=(pair.a, pair.b),
        ratio=pair.ratio if unit is None else None,
        interval=as_interval(pair.interval) if unit is None else None,
        difference=None if unit is None else _difference(pair, unit),
        q=found.q,
        df=found.df,
        i_squared=found.i_squared,
        spread=found.spread,
        spread_interval=Interval(low=low, high=high),
    )


def _difference(pair: HostPair, unit: str) -> Difference:
    return Difference(value=pair.distance, interval=as_interval(pair.bounds), unit=unit)


def _sentence(
    found: Heterogeneity, hosts: int, family: int, margin: float, missed: bool, unit: str | None
) -> str:
    of = confidence(family, _PAIRS)
    if found.differs:
        apart = [pair for pair in found.pairs if pair.p_adjusted <= 0.05]
        first = message("hostsDisagree", apart=_apart(found.pairs[0], of, unit))
        if len(found.pairs) == 1:
            return first
        return joined((first, message("hostsPairsDiffer", n=str(len(apart)), of=str(len(found.pairs)))))
    far = message("hostsFar", n=str(hosts), size=_farthest(found.pairs, unit), ci=of)
    if missed:
        return message("hostsMissed", margin=margin_text(margin), far=far)
    return message("hostsNoneShown", far=far)


def _apart(pair: HostPair, of: str, unit: str | None) -> str:
    """The two hosts in words, the one with the higher ratio or difference first."""
    if unit is not None:
        return _apart_by(pair, of, unit)
    high, low, ratio, interval = pair.b, pair.a, pair.ratio, pair.interval
    if ratio < 1:
        high, low, ratio, interval = low, high, 1 / ratio, (1 / interval[1], 1 / interval[0])
    if is_multiple(ratio):
        size, first, last = multiples(ratio, *interval)
        within = message("rangeTimes", low=first, high=last)
        return message("hostsTimes", high=high, size=size, low=low, ci=of, range=within)
    size = percent(ratio).lstrip("+")
    return message("hostsHigher", high=high, size=size, low=low, ci=of, range=spread(interval))


def _apart_by(pair: HostPair, of: str, unit: str) -> str:
    high, low, distance, bounds = pair.b, pair.a, pair.distance, pair.bounds
    if distance < 0:
        high, low, distance, bounds = low, high, -distance, (-bounds[1], -bounds[0])
    (size,) = amounts((distance,), unit)
    within = signed_range(bounds, unit)
    return message("hostsHigherBy", high=high, size=size, low=low, ci=of, range=within)


def _farthest(pairs: Sequence[HostPair], unit: str | None) -> str:
    """The largest change that the intervals allow."""
    if unit is not None:
        return amounts((max(max(map(abs, pair.bounds)) for pair in pairs),), unit)[0]
    return percent(max(max(pair.interval[1], 1 / pair.interval[0]) for pair in pairs)).lstrip("+")


def counts(found: Mapping[str, Disagreement], ended: bool = True) -> str:
    """How the cells came out, in words."""
    so_far = "" if ended else "SoFar"
    outcomes = [one.outcome for one in found.values()]
    total = len(outcomes)
    if not total:
        return message(f"hostsOnlyBaselines{so_far}")
    disagree, shown = outcomes.count("disagree"), outcomes.count("none_shown")
    if not disagree and not shown:
        return message(f"hostsUndecided{so_far}", n=str(total))
    unknown = total - disagree - shown
    rest = [message("hostsRestNoneShown", n=str(shown))] if disagree and shown else []
    rest += [message("hostsRestUndecided", n=str(unknown))] if unknown else []
    more = message("hostsRest", text=joined(rest, "semicolon")) if rest else ""
    id_ = "hostsDisagreeAbout" if disagree else "hostsNoneShownAbout"
    return message(id_ + so_far, n=str(disagree or shown), count=total, rest=more)
