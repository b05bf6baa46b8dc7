"""Differences between the environments of two runs, each with its relevance to a comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cells.programs import PROGRAMS, cell_uses
from backend.core.chart.compare_runs.compared_cells import RunFigures
from backend.core.chart.compare_runs.matching import A_AND_B, Names
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference, Relevance
from backend.core.messages.message import message
from backend.core.sample import environment

UNKNOWN: Final = "unknown"


@dataclass(frozen=True)
class JudgedKeys:
    """The relevance of a difference in the keys that match."""

    keys: re.Pattern[str]
    relevance: Relevance
    remark: str


def _row(keys: str, relevance: Relevance, remark: str) -> JudgedKeys:
    return JudgedKeys(re.compile(keys), relevance, message(remark))


_ENGINE: Final = environment.ENGINE + r"\S+ "
_TABLE: Final = (
    _row(environment.CPU, "blocking", "remarkCpu"),
    _row(environment.CORES, "blocking", "remarkCores"),
    _row(environment.ARCHITECTURE, "blocking", "remarkArchitecture"),
    _row(environment.KERNEL, "relevant", "remarkKernel"),
    _row(environment.BOOT_ID, "minor", "remarkBootId"),
    _row(r"at start: .*", "relevant", "remarkAtStart"),
    _row(environment.HOST, "relevant", "remarkHost"),
    _row(environment.CPU_GOVERNOR, "relevant", "remarkCpuGovernor"),
    _row(environment.CLOCKSOURCE, "relevant", "remarkClocksource"),
    _row(environment.CGROUP_VERSION, "relevant", "remarkCgroupVersion"),
    _row(environment.IRQ_TIME, "relevant", "remarkIrqTime"),
    _row(environment.OBSERVERS, "relevant", "remarkObservers"),
    _row(environment.DOCKER_PROXY, "relevant", "remarkDockerProxy"),
    _row(environment.IMAGE, "relevant", "remarkImage"),
    _row(
        environment.SYSCTL + r"net\.ipv4\.ip_local_port_range",
        "minor",
        "remarkPortRange",
    ),
    _row(environment.SYSCTL + r".*", "relevant", "remarkSysctl"),
    _row(_ENGINE + r"(docker_api|kernel)", "minor", "remarkReportedTwice"),
    _row(_ENGINE + r"docker", "relevant", "remarkDocker"),
    _row(_ENGINE + r".*", "relevant", "remarkEngine"),
    _row(environment.CLIENT_HOST, "relevant", "remarkClientHost"),
    _row(
        f"{environment.CLIENT_HOST} ({environment.OS}|{environment.MEMORY})",
        "minor",
        "remarkRarelyMoves",
    ),
    _row(environment.CLIENT_HOST + " .*", "relevant", "remarkOfClientHost"),
    _row(f"{environment.OS}|{environment.MEMORY}", "minor", "remarkRarelyMoves"),
)
"""The first row whose keys match counts; a key in none of them is minor."""


def environment_differences(
    a: RunFigures, b: RunFigures, names: Names = A_AND_B
) -> Iterator[EnvironmentDifference]:
    """Every key in which the two differ, blocking ones first; one line where only a host's name is known."""
    known_a, known_b = (bool(run.environment.keys() - {environment.HOST}) for run in (a, b))
    if not known_a or not known_b:
        if known_a or known_b:
            yield EnvironmentDifference(
                key="environment",
                a="recorded" if known_a else None,
                b="recorded" if known_b else None,
                relevance="relevant",
                remark=message("remarkNothingKnown", name=names[1] if known_a else names[0]),
            )
        return
    used = used_programs(a) | used_programs(b)
    keys = sorted(a.environment.keys() | b.environment.keys())
    found = [_compared(key, a.environment, b.environment, used, names) for key in keys]
    order: tuple[Relevance, ...] = ("blocking", "relevant", "minor")
    yield from sorted((one for one in found if one), key=lambda one: order.index(one.relevance))


def origin_differences(
    a: RunFigures, b: RunFigures, names: Names = A_AND_B
) -> Iterator[EnvironmentDifference]:
    """The difference in evidence where a run is imported: it cannot prove its path."""
    imported = [name for name, run in zip(names, (a, b), strict=True) if run.origin == "imported"]
    if imported:
        yield EnvironmentDifference(
            key="evidence",
            a=None if a.origin == "imported" else "taken in every trial",
            b=None if b.origin == "imported" else "taken in every trial",
            relevance="relevant",
            remark=message("remarkImported", names=_both(imported)),
        )


def _both(names: Sequence[str]) -> str:
    return message("andLast", names=names[0], last=names[1]) if len(names) > 1 else names[0]


def _compared(
    key: str, a: Mapping[str, str], b: Mapping[str, str], used: frozenset[str], names: Names
) -> EnvironmentDifference | None:
    ours, theirs = a.get(key), b.get(key)
    if ours == theirs:
        return None
    relevance, remark = judge_key(key, used)
    if key == environment.CLIENT_HOST and None in (ours, theirs):
        own = names[0] if ours is None else names[1]
        remark = message("remarkOwnHost", name=own)
    elif ours is None or theirs is None:
        # An engine that only one run needed does not affect the cells that both have.
        remark = message("remarkNotRecorded", name=names[0] if ours is None else names[1])
        relevance = "relevant" if relevance == "blocking" else "minor"
    elif UNKNOWN in (ours, theirs):
        remark = message("remarkUnknown", name=names[0] if ours == UNKNOWN else names[1])
        relevance = "relevant" if relevance == "blocking" else "minor"
    return EnvironmentDifference(key=key, a=ours, b=theirs, relevance=relevance, remark=remark)


def judge_key(key: str, used: frozenset[str]) -> tuple[Relevance, str]:
    """The relevance of a difference in a key, with a remark; `used` are the programs that some cell uses."""
    if key in PROGRAMS:
        return (
            ("relevant", message("remarkProgram"))
            if key in used
            else ("minor", message("remarkProgramUnused"))
        )
    for row in _TABLE:
        if row.keys.fullmatch(key):
            return row.relevance, row.remark
    return "minor", message("remarkNotJudged")


def used_programs(run: RunFigures) -> frozenset[str]:
    """The programs that some cell of a run uses."""
    feasible = [one.cell for one in run.cells.values() if one.cell.infeasible is None]
    return frozenset(
        program for program in PROGRAMS if any(cell_uses(cell.levels, program) for cell in feasible)
    )
