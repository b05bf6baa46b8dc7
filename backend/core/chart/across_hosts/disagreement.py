"""Whether hosts disagree about each cell's ratio to their own baselines: one of three outcomes, in words.

- disagree: the simultaneous interval of two hosts excludes 1;
- cannot tell: fewer than two hosts have enough values, or the interval of some two of them is so wide that a
  difference as large as the margin could have been missed;
- none shown: none of these; smaller differences are possible, and the sentence says up to which size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.across_hosts.hosts_model import Disagreement
from backend.core.chart.model.model_base import Interval, as_interval
from backend.core.messages.message import joined, message
from backend.core.plan.model import Cell
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
from backend.core.statistics.verdict import confidence, margin_text, multiples, percent, spread

Samples = dict[str, HostSample]
Reasons = dict[str, str]
"""Why a host takes no part, by host."""
_TIMES = 10.0
_PAIRS = "pairs of hosts"


def disagreements(
    runs: Sequence[HostRun], cells: Iterable[Cell], metric: str, margin: float
) -> dict[str, Disagreement]:
    """The judgement of each compared cell by its id; all pairs of hosts of all cells are one family."""
    found = {cell.id: _samples(runs, cell, metric) for cell in cells if cell.baseline_id is not None}
    family = count_pairs([samples for samples, _ in found.values()])
    return {
        id_: _judged(samples, reasons, family, margin, all(run.ended for run in runs))
        for id_, (samples, reasons) in found.items()
    }


def _samples(runs: Sequence[HostRun], cell: Cell, metric: str) -> tuple[Samples, Reasons]:
    samples: Samples = {}
    reasons: Reasons = {}
    for run in runs:
        found = _sample(run, cell, metric)
        if isinstance(found, str):
            reasons[run.host] = found
        else:
            samples[run.host] = found
    return samples, reasons


def _sample(run: HostRun, cell: Cell, metric: str) -> HostSample | str:
    """The host's logarithmic ratios that take part, or why there are none.

    Of a run with interim analyses those of the rounds before the first one: a ratio that ended its own
    measurement is too far from 1 on average.
    """
    if run.not_judged is not None or run.figures is None:
        return run.not_judged or ""
    try:
        base, own = run.paired(cell.id, metric, run.figures.first_interim)
        rounds = sorted(base.keys() & own.keys())
        logs = log_ratios([base[r] for r in rounds], [own[r] for r in rounds]) * UNIT
    except Undefined as reason:
        return str(reason)
    found = host_sample(logs.tolist())
    if found is not None:
        return found
    if len(rounds) < FEWEST:
        return message("hostsFewValues", n=str(len(rounds)), needed=FEWEST)
    return message("hostsEqualRatios")


def _judged(samples: Samples, reasons: Reasons, family: int, margin: float, ended: bool) -> Disagreement:
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
    missed = any(one.half_width > math.log1p(margin) for one in found.pairs)
    outcome = "disagree" if found.differs else "cannot_tell" if missed else "none_shown"
    sentence = _sentence(found, len(hosts), family, margin, missed)
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
        ratio=pair.ratio,
        interval=as_interval(pair.interval),
        q=found.q,
        df=found.df,
        i_squared=found.i_squared,
        spread=found.spread,
        spread_interval=Interval(low=low, high=high),
    )


def _sentence(found: Heterogeneity, hosts: int, family: int, margin: float, missed: bool) -> str:
    of = confidence(family, _PAIRS)
    if found.differs:
        apart = [pair for pair in found.pairs if pair.p_adjusted <= 0.05]
        first = message("hostsDisagree", apart=_apart(found.pairs[0], of))
        if len(found.pairs) == 1:
            return first
        return joined((first, message("hostsPairsDiffer", n=str(len(apart)), of=str(len(found.pairs)))))
    far = message("hostsFar", n=str(hosts), size=_farthest(found.pairs), ci=of)
    if missed:
        return message("hostsMissed", margin=margin_text(margin), far=far)
    return message("hostsNoneShown", far=far)


def _apart(pair: HostPair, of: str) -> str:
    """The two hosts in words, the one with the higher ratio first."""
    high, low, ratio, interval = pair.b, pair.a, pair.ratio, pair.interval
    if ratio < 1:
        high, low, ratio, interval = low, high, 1 / ratio, (1 / interval[1], 1 / interval[0])
    if ratio >= _TIMES:
        size, first, last = multiples(ratio, *interval)
        within = message("rangeTimes", low=first, high=last)
        return message("hostsTimes", high=high, size=size, low=low, ci=of, range=within)
    size = percent(ratio).lstrip("+")
    return message("hostsHigher", high=high, size=size, low=low, ci=of, range=spread(interval))


def _farthest(pairs: Sequence[HostPair]) -> str:
    """The largest change that the intervals allow."""
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
