"""What qualifies a group's result: how the hosts differ, and which levels ran on some of them only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from backend.core.chart.across_hosts.host_runs import HostRun, plan_cells
from backend.core.chart.across_hosts.hosts_model import HostsDifference
from backend.core.chart.compare_runs.differences import UNKNOWN, judge_key, used_programs
from backend.core.chart.compare_runs.run_comparison_model import Relevance
from backend.core.definition.factors import FACTORS, Level
from backend.core.messages.message import joined, message
from backend.core.plan.labels import level_label
from backend.core.sample import environment

_NAMED: Final = 6
"""No more of a kind are named in one sentence."""
_ORDER: Final[tuple[Relevance, ...]] = ("blocking", "relevant", "minor")
RUN_TO_RUN: Final = message("hostsRunToRun")


def host_differences(runs: Sequence[HostRun]) -> tuple[HostsDifference, ...]:
    """The facts in which hosts differ, those that matter most first; their names are not among them."""
    known = [run.figures.environment if run.figures else {} for run in runs]
    if sum(map(bool, known)) < 2:
        return ()
    used = frozenset().union(*(used_programs(run.figures) for run in runs if run.figures))
    keys = sorted({key for facts in known for key in facts} - {environment.HOST})
    found = [one for key in keys if (one := _difference(key, runs, known, used)) is not None]
    return tuple(sorted(found, key=lambda one: _ORDER.index(one.relevance)))


def _difference(
    key: str, runs: Sequence[HostRun], known: Sequence[Mapping[str, str]], used: frozenset[str]
) -> HostsDifference | None:
    values = tuple(facts.get(key) for facts in known)
    stated = {value for value, facts in zip(values, known, strict=True) if facts}
    if len(stated) < 2:
        return None
    relevance, remark = judge_key(key, used)
    if len(stated - {None, UNKNOWN}) < 2:
        without = [
            run.host
            for run, value, facts in zip(runs, values, known, strict=True)
            if facts and value in (None, UNKNOWN)
        ]
        relevance = "relevant" if relevance == "blocking" else "minor"
        remark = message("remarkNotKnownOf", hosts=named(without))
    return HostsDifference(key=key, values=values, relevance=relevance, remark=remark)


def environment_sentence(differences: Sequence[HostsDifference]) -> str | None:
    """What differs between the hosts and can move the figures; None where nothing is known to."""
    keys = [one.key for one in differences if one.relevance != "minor"]
    if not keys:
        return None
    return message("hostsDifferIn", facts=named(keys))


def one_host_sentence(runs: Sequence[HostRun]) -> str | None:
    """Which cells ran on one host only."""
    alone: defaultdict[str, list[str]] = defaultdict(list)
    for cell in plan_cells(runs):
        hosts = [run.host for run in runs if run.takes_part(cell.id)]
        if len(hosts) == 1:
            alone[hosts[0]].append(cell.label)
    if not alone:
        return None
    parts = [message("hostsOnlyOn", cells=named(labels), host=host) for host, labels in alone.items()]
    return message("hostsOnOne", parts=joined(parts[:_NAMED], "semicolon"))


def confounded_sentences(runs: Sequence[HostRun]) -> Iterator[str]:
    """Pairs of levels of a factor that no host has both of: their difference is that of the hosts too."""
    for name, by_level in _hosts_of_levels(runs).items():
        pairs = [
            (a, b)
            for a, b in combinations(by_level, 2)
            if by_level[a] and by_level[b] and not by_level[a] & by_level[b]
        ]
        if not pairs:
            continue
        a, b = pairs[0]
        sentence = message(
            "hostsConfounded",
            factor=FACTORS[name].label,
            a=level_label(name, a),
            hostsA=named(sorted(by_level[a])),
            b=level_label(name, b),
            hostsB=named(sorted(by_level[b])),
        )
        more = message("hostsConfoundedMore", n=str(len(pairs) - 1)) if len(pairs) > 1 else None
        yield joined((sentence, more))


def _hosts_of_levels(runs: Sequence[HostRun]) -> dict[str, dict[Level, set[str]]]:
    """The hosts on which each level ran, of the factors with several levels."""
    found: defaultdict[str, dict[Level, set[str]]] = defaultdict(dict)
    for cell in plan_cells(runs):
        hosts = {run.host for run in runs if run.takes_part(cell.id)}
        for name, level in cell.levels.items():
            found[name].setdefault(level, set()).update(hosts)
    return {name: found[name] for name in FACTORS if len(found.get(name, {})) > 1}


def member_notices(runs: Sequence[HostRun]) -> Iterator[str]:
    """Members that are deleted, cancelled, incomplete, still running, or whose A/A check qualifies them."""
    for state, id_ in (
        ("deleted", "hostsDeleted"),
        ("cancelled", "hostsCancelled"),
        ("incomplete", "hostsIncomplete"),
    ):
        hosts = [run.host for run in runs if run.state == state]
        if hosts:
            yield message(id_, hosts=named(hosts))
    waiting = [run.host for run in runs if not run.ended]
    if waiting:
        yield message("hostsWaiting", hosts=named(waiting))
    stopped = [run.host for run in runs if run.figures is not None and run.figures.first_interim is not None]
    if stopped:
        yield message("hostsInterim")
    for run in runs:
        if run.figures is not None and run.figures.trust is not None:
            yield message("runsTrust", name=run.host, trust=run.figures.trust)


def named(words: Sequence[str]) -> str:
    """A few words in a sentence, and how many more there are."""
    more = len(words) - _NAMED
    if more > 0:
        return message("andMore", names=joined(words[:_NAMED], "comma"), n=str(more))
    return message("andLast", names=joined(words[:-1], "comma"), last=words[-1]) if words[1:] else words[0]
