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
from backend.core.plan.labels import level_label
from backend.core.sample import environment

_NAMED: Final = 6
"""No more of a kind are named in one sentence."""
_ORDER: Final[tuple[Relevance, ...]] = ("blocking", "relevant", "minor")
RUN_TO_RUN: Final = (
    "Each host was measured in one run: a difference between hosts contains whatever differs between two "
    "runs of one host. Start the group again to see whether it repeats."
)


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
        remark = f"not known of {named(without)}"
    return HostsDifference(key=key, values=values, relevance=relevance, remark=remark)


def environment_sentence(differences: Sequence[HostsDifference]) -> str | None:
    """What differs between the hosts and can move the figures; None where nothing is known to."""
    keys = [one.key for one in differences if one.relevance != "minor"]
    if not keys:
        return None
    return (
        f"The hosts differ in {named(keys)}. Values of different hosts are not comparable; where hosts "
        "disagree about a ratio, any of these, or anything that was not recorded, can be the reason."
    )


def one_host_sentence(runs: Sequence[HostRun]) -> str | None:
    """Which cells ran on one host only."""
    alone: defaultdict[str, list[str]] = defaultdict(list)
    for cell in plan_cells(runs):
        hosts = [run.host for run in runs if run.takes_part(cell.id)]
        if len(hosts) == 1:
            alone[hosts[0]].append(cell.label)
    if not alone:
        return None
    parts = [f"{named(labels)} on {host} only" for host, labels in alone.items()]
    return f"Measured on one host: {'; '.join(parts[:_NAMED])}. Of these no other host says anything."


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
        more = f" So have {len(pairs) - 1} more pairs of its levels." if len(pairs) > 1 else ""
        yield (
            f"{FACTORS[name].label}: {level_label(name, a)} ran on {named(sorted(by_level[a]))} only and "
            f"{level_label(name, b)} on {named(sorted(by_level[b]))} only. Their difference cannot be "
            f"separated from that of the hosts, so no comparison is drawn between them.{more}"
        )


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
    for state, text in (
        ("deleted", "The run on {} was deleted: the group is judged without it."),
        ("cancelled", "The run on {} was cancelled before its last round."),
        ("incomplete", "The run on {} ended with failed trials."),
    ):
        hosts = [run.host for run in runs if run.state == state]
        if hosts:
            yield text.format(named(hosts))
    waiting = [run.host for run in runs if not run.ended]
    if waiting:
        yield f"Not finished on {named(waiting)}: figures and sentences are provisional."
    stopped = [run.host for run in runs if run.figures is not None and run.figures.first_interim is not None]
    if stopped:
        yield (
            "The runs have planned interim analyses: disagreement between hosts is judged by the rounds up "
            "to the first one, because a ratio that ended its own measurement is too far from 1 on average."
        )
    for run in runs:
        if run.figures is not None and run.figures.trust is not None:
            yield f"{run.host}: {run.figures.trust}"


def named(words: Sequence[str]) -> str:
    """A few words in a sentence, and how many more there are."""
    shown, more = list(words[:_NAMED]), len(words) - _NAMED
    if more > 0:
        shown.append(f"{more} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
