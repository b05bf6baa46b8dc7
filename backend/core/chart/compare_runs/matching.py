"""Which cells of two runs match, and in which settings the runs differ.

Cells match where the factors of the question are equal: the path to the server (path, userland-proxy, proxy
program) and the load (tool, service, clients, protocol, script, offered rate, connections, direction). All
other factors are settings: one with a single level in each run may differ between the runs, and is then
listed as a difference; one that either run varies must be equal too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells, Levels
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference
from backend.core.chart.text.sentences import OPERATIONS
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import joined, message
from backend.core.plan.labels import cell_label, level_label

QUESTION_FACTORS: Final = frozenset(
    (
        "path",
        "userland_proxy",
        "proxy_program",
        "tool",
        "service",
        "clients",
        "protocol",
        "script",
        "rate",
        "reconnect",
        "keep_alive",
        "transport",
        "reverse",
        "udp_mbit_s",
        "fresh_server",
    )
)
"""The factors that must be equal; the others are settings."""
PER_OPERATION: Final = frozenset(name for name in METRICS if name.endswith("_per_txn"))
"""The metrics that are divided by the operations of the tool."""
Names = tuple[str, str]
"""What the two sides are called in sentences."""
A_AND_B: Final[Names] = ("A", "B")
BASELINE: Final = "baseline"
"""The key of the difference between two chosen cells' baselines."""
_REMARKS: Final = {
    "path": "remarkEngineKind",
    "tool": "remarkClientSetting",
    "service": "remarkServerSetting",
    "front": "remarkFrontSetting",
    "limits": "remarkLimits",
    "time": "remarkWindows",
}


@dataclass(frozen=True)
class Match:
    """Two matching cells, or a cell that only one run has."""

    label: str
    levels: Levels
    a: ComparedCell | None
    b: ComparedCell | None

    @property
    def sides(self) -> tuple[ComparedCell, ...]:
        """The one or two cells."""
        return tuple(side for side in (self.a, self.b) if side is not None)

    @property
    def is_baseline(self) -> bool:
        """Whether it is a baseline wherever it is."""
        return all(side.cell.is_baseline for side in self.sides)


@dataclass(frozen=True)
class CellRow:
    """Matching cells of several runs, in the order of the runs; None where a run has no such cell."""

    label: str
    levels: Levels
    cells: tuple[ComparedCell | None, ...]


def match_rows(runs: Sequence[ComparedCells]) -> tuple[CellRow, ...]:
    """Every cell but the A/A duplicates: in the order of the first run, then those of the next.

    A factor that any of the runs varies must be equal.
    """
    levels = [levels_of(cells) for cells in runs]
    counted, by_key = _by_key(*levels)
    shown = _varied(own for of_run in levels for own in of_run.values()) & counted
    in_order = [name for name in FACTORS if name in shown]
    rows = []
    for key in dict.fromkeys(key for ids in by_key for key in ids):
        ids = [of_run.get(key) for of_run in by_key]
        cells = tuple(None if id_ is None else of_run[id_] for of_run, id_ in zip(runs, ids, strict=True))
        known = next(cell.levels for cell in cells if cell is not None)
        rows.append(CellRow(cell_label(known, in_order), known, cells))
    return tuple(rows)


def match_cells(a: ComparedCells, b: ComparedCells) -> tuple[Match, ...]:
    """The cells of two runs, matched as by `match_rows`."""
    return tuple(Match(row.label, row.levels, *row.cells) for row in match_rows((a, b)))


def same_cells(a: Mapping[str, Levels], b: Mapping[str, Levels]) -> dict[str, str]:
    """The ids of the cells that both have, those of `b` by those of `a`, as `match_cells` matches them."""
    _, (by_key_a, by_key_b) = _by_key(a, b)
    return {id_: by_key_b[key] for key, id_ in by_key_a.items() if key in by_key_b}


def match_pair(a: ComparedCell, b: ComparedCell) -> Match:
    """Any two cells, whatever they differ in."""
    ours, theirs = a.levels, b.levels
    shared = {name: level for name, level in ours.items() if theirs.get(name) == level}
    same = a.cell.label == b.cell.label
    return Match(a.cell.label if same else f"{b.cell.label} against {a.cell.label}", shared, a, b)


def setting_differences(a: ComparedCells, b: ComparedCells) -> Iterator[EnvironmentDifference]:
    """The settings that are fixed in each run, and differ."""
    for name, ours, theirs in _fixed(a, b):
        if name not in QUESTION_FACTORS:
            yield _difference(name, ours, theirs, message(_REMARKS[FACTORS[name].scope]))


def differing_factors(a: ComparedCells, b: ComparedCells, names: Names = A_AND_B) -> list[str]:
    """Why no cell is in common: the levels of each run by factor, where no level is in both."""
    texts: list[str] = []
    levels_a, levels_b = list(levels_of(a).values()), list(levels_of(b).values())
    for name in FACTORS:
        ours = {str(levels[name]) for levels in levels_a if name in levels}
        theirs = {str(levels[name]) for levels in levels_b if name in levels}
        if name in QUESTION_FACTORS and ours and theirs and not ours & theirs:
            sides = {"ours": _some(ours), "a": names[0], "theirs": _some(theirs), "b": names[1]}
            texts.append(message("runsFactIn", fact=name, **sides))
    return texts


def pair_differences(match: Match) -> Iterator[EnvironmentDifference]:
    """Every level in which two chosen cells differ; a different tool or service matters."""
    if match.a is None or match.b is None:
        return
    ours, theirs = match.a.levels, match.b.levels
    for name in FACTORS:
        if name in ours and name in theirs and ours[name] != theirs[name]:
            if name in ("tool", "service"):
                yield _difference(
                    name, ours[name], theirs[name], message("remarkCountsDifferently", factor=name)
                )
            else:
                yield EnvironmentDifference(
                    key=name,
                    a=_written(name, ours[name]),
                    b=_written(name, theirs[name]),
                    relevance="minor",
                    remark=message("remarkCompared"),
                )


def operations_differ(match: Match, names: Names = A_AND_B) -> str | None:
    """A sentence where the tools of two cells count different operations; None where they do not."""
    tools = (str(side.levels.get("tool")) for side in match.sides)
    counted = [OPERATIONS.get(tool, "transaction") for tool in tools]
    if len(set(counted)) < 2:
        return None
    return message("runsOperations", ours=counted[0], a=names[0], theirs=counted[1], b=names[1])


def baseline_difference(match: Match, a: ComparedCells, b: ComparedCells) -> EnvironmentDifference | None:
    """The levels in which the baselines of two chosen cells differ, and the cells themselves do not."""
    if match.a is None or match.b is None:
        return None
    bases = a.get(match.a.cell.baseline_id or ""), b.get(match.b.cell.baseline_id or "")
    if bases[0] is None or bases[1] is None:
        return None
    ours, theirs = (base.levels for base in bases if base)
    own, other = (side.levels for side in match.sides)
    apart = [
        name
        for name in FACTORS
        if ours.get(name) != theirs.get(name)
        and (ours.get(name), theirs.get(name)) != (own.get(name), other.get(name))
    ]
    if not apart:
        return None
    return EnvironmentDifference(
        key=BASELINE,
        a=cell_label(ours, apart),
        b=cell_label(theirs, apart),
        relevance="relevant",
        remark=message("remarkBaselines"),
    )


def _difference(name: str, ours: Level, theirs: Level, remark: str) -> EnvironmentDifference:
    return EnvironmentDifference(
        key=name, a=_written(name, ours), b=_written(name, theirs), relevance="relevant", remark=remark
    )


def _written(name: str, level: Level) -> str:
    if name == "path":
        return level_label(name, level)
    return str(level).lower() if isinstance(level, bool) else str(level) or "any"


def _fixed(a: ComparedCells, b: ComparedCells) -> Iterator[tuple[str, Level, Level]]:
    """The factors with a single level in each run, where the two differ."""
    levels_a, levels_b = list(levels_of(a).values()), list(levels_of(b).values())
    for name in FACTORS:
        ours = {levels[name] for levels in levels_a if name in levels}
        theirs = {levels[name] for levels in levels_b if name in levels}
        if len(ours) == len(theirs) == 1 and ours != theirs:
            yield name, ours.pop(), theirs.pop()


def levels_of(cells: ComparedCells) -> dict[str, Levels]:
    """The levels of every cell but the duplicates, by id."""
    return {id_: compared.levels for id_, compared in cells.items() if not compared.cell.is_duplicate}


Key = tuple[tuple[str, Level], ...]


def _by_key(*runs: Mapping[str, Levels]) -> tuple[frozenset[str], list[dict[Key, str]]]:
    """The factors that must be equal, and the ids of each run's cells by their levels of them."""
    counted = QUESTION_FACTORS.union(*(_varied(cells.values()) for cells in runs))
    return counted, [{_key(levels, counted): id_ for id_, levels in cells.items()} for cells in runs]


def _varied(cells: Iterable[Mapping[str, Level]]) -> frozenset[str]:
    """The factors with more than one level among these cells."""
    seen: dict[str, set[Level]] = {}
    for levels in cells:
        for name, level in levels.items():
            seen.setdefault(name, set()).add(level)
    return frozenset(name for name, levels in seen.items() if len(levels) > 1)


def _key(levels: Mapping[str, Level], counted: Collection[str]) -> Key:
    return tuple((name, level) for name, level in levels.items() if name in counted)


def _some(words: Iterable[str]) -> str:
    """At most three words, and how many more there are."""
    ordered = sorted(words)
    named = joined(ordered[:3], "comma")
    return message("andMore", names=named, n=len(ordered) - 3) if len(ordered) > 3 else named
