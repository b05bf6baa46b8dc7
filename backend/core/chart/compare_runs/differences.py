"""Differences between the environments of two runs, each weighed: decides, matters, or only noted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.programs import PROGRAMS, cell_uses
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference

Weight = Literal["decides", "matters", "noted"]

UNKNOWN: Final = "unknown"


@dataclass(frozen=True)
class Weighed:
    """How a difference in the keys that match is judged."""

    keys: re.Pattern[str]
    weight: Weight
    remark: str


def _row(keys: str, weight: Weight, remark: str) -> Weighed:
    return Weighed(re.compile(keys), weight, remark)


_ENGINE: Final = r"engine \S+ "
_TABLE: Final = (
    _row("cpu", "decides", "another processor"),
    _row("cores", "decides", "another number of cores"),
    _row("architecture", "decides", "another kind of processor"),
    _row("kernel", "matters", "the kernel forwards the packets"),
    _row("boot id", "noted", "the host was started in between"),
    _row(r"at start: .*", "matters", "something else was on the host when the run began"),
    _row("host", "matters", "two machines differ even with the same parts"),
    _row("cpu governor", "matters", "the processor's clock is set in another way"),
    _row("clocksource", "matters", "reading the clock costs differently"),
    _row("cgroup version", "matters", "CPU is accounted in another way"),
    _row("interrupt time kept apart", "matters", "interrupt time is attributed in another way"),
    _row("observers", "matters", "what looks on is scheduled in another way"),
    _row("docker-proxy sha256", "matters", "another build of docker-proxy"),
    _row("image", "matters", "other builds of tools and services"),
    _row(r"sysctl net\.ipv4\.ip_local_port_range", "noted", "counts only where connections are made often"),
    _row(r"sysctl .*", "matters", "a setting of the network stack"),
    _row(_ENGINE + r"(docker_api|kernel)", "noted", "told by another key as well"),
    _row(_ENGINE + r"docker", "matters", "another version of Docker"),
    _row(_ENGINE + r".*", "matters", "another version or setting of this engine"),
    _row("os|memory", "noted", "rarely moves these figures"),
)
"""The first row whose keys match counts; a key in none of them is noted."""


def environment_differences(a: ChartInput, b: ChartInput) -> Iterator[EnvironmentDifference]:
    """Every key in which the two differ, what decides first; one line where only a host's name is known."""
    known_a, known_b = (bool(run.environment.keys() - {"host"}) for run in (a, b))
    if not known_a or not known_b:
        if known_a or known_b:
            yield EnvironmentDifference(
                key="environment",
                a="recorded" if known_a else None,
                b="recorded" if known_b else None,
                weight="matters",
                remark=f"nothing is known about the host of {'B' if known_a else 'A'} but its name",
            )
        return
    used = _used(a) | _used(b)
    keys = sorted(a.environment.keys() | b.environment.keys())
    found = [_compared(key, a.environment, b.environment, used) for key in keys]
    order: tuple[Weight, ...] = ("decides", "matters", "noted")
    yield from sorted((one for one in found if one), key=lambda one: order.index(one.weight))


def origin_differences(a: ChartInput, b: ChartInput) -> Iterator[EnvironmentDifference]:
    """What an imported run cannot show: evidence of its path."""
    imported = [name for name, data in (("A", a), ("B", b)) if data.origin == "imported"]
    if imported:
        yield EnvironmentDifference(
            key="evidence",
            a=None if a.origin == "imported" else "taken in every trial",
            b=None if b.origin == "imported" else "taken in every trial",
            weight="matters",
            remark=f"{' and '.join(imported)}: imported, nothing proves that packets took the labelled path",
        )


def _compared(
    key: str, a: Mapping[str, str], b: Mapping[str, str], used: frozenset[str]
) -> EnvironmentDifference | None:
    ours, theirs = a.get(key), b.get(key)
    if ours == theirs:
        return None
    weight, remark = _weighed(key, used)
    if ours is None or theirs is None:
        # An engine that only one run needed takes nothing away from the cells that both have.
        remark = f"not recorded for {'A' if ours is None else 'B'}"
        weight = "matters" if weight == "decides" else "noted"
    elif UNKNOWN in (ours, theirs):
        remark = f"unknown in {'A' if ours == UNKNOWN else 'B'}"
        weight = "matters" if weight == "decides" else "noted"
    return EnvironmentDifference(key=key, a=ours, b=theirs, weight=weight, remark=remark)


def _weighed(key: str, used: frozenset[str]) -> tuple[Weight, str]:
    if key in PROGRAMS:
        return ("matters", "another version") if key in used else ("noted", "no cell uses it")
    for row in _TABLE:
        if row.keys.fullmatch(key):
            return row.weight, row.remark
    return "noted", "recorded, not judged"


def _used(data: ChartInput) -> frozenset[str]:
    """The programs that some cell of a run uses."""
    feasible = [cell for cell in data.plan.cells if cell.infeasible is None]
    return frozenset(
        program for program in PROGRAMS if any(cell_uses(cell.levels, program) for cell in feasible)
    )
