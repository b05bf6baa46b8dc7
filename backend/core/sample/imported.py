"""Logs of runs that were made elsewhere: each to the one cell that it is of, and to its tool's parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.definition.checks import allowed, is_level, listed, pointer, shown, unknown
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.metrics import METRICS
from backend.core.errors import Invalid, Problem, Unparseable
from backend.core.plan.model import Cell
from backend.core.sample.log_copies import Copies
from backend.core.sample.log_settings import AmongLogs, other_settings
from backend.core.sample.notice import Notice
from backend.core.sample.parsers import PARSERS
from backend.core.sample.record import ImportedRecord
from backend.core.sample.report_notices import of_result
from backend.core.sample.result import ToolResult

MAX_PROBLEMS = 100
"""The most problems that one refusal lists."""


@dataclass(frozen=True)
class Log:
    """One run of a tool as it was submitted; `levels` name enough factors to identify its cell."""

    levels: Mapping[str, object]
    round: int
    stdout: str
    stderr: str = ""


@dataclass(frozen=True)
class ReadLog:
    """A log with its cell and what its tool reported."""

    cell: Cell
    log: Log
    result: ToolResult
    notices: tuple[Notice, ...] = ()
    """What it says beside its cell and beside the other logs."""

    def record(self, trial_id: str) -> ImportedRecord:
        """What is kept of it under this trial's id."""
        result = self.result
        return ImportedRecord(
            trial_id=trial_id,
            tool=result.tool,
            metrics={
                name: round(result.metrics[name], 6)
                for name, metric in METRICS.items()
                if name in result.metrics and result.tool in metric.tools
            },
            latency_measured=result.latency_measured,
            transactions=result.operations,
            failed_transactions=result.failed,
            histogram=result.histogram,
            per_second=result.per_second,
            versions={result.tool: result.version} if result.version else {},
            facts=dict(result.facts),
            notices=(*of_result(result), *self.notices),
            stdout=self.log.stdout,
            stderr=self.log.stderr,
        )


def read_logs(cells: Sequence[Cell], logs: Sequence[Log], *, allow_identical: bool = False) -> list[ReadLog]:
    """Every log read, in the order given.

    Raises Invalid with every problem at its JSON Pointer below /logs: levels that fit no cell or several,
    two logs of one cell in one round, output that the cell's tool did not print, and copies of a log
    (`log_copies`).
    """
    finder = _Finder(cells)
    problems: list[Problem] = []
    seen: dict[tuple[str, int], int] = {}
    copies = Copies(allow_identical)
    read: list[ReadLog] = []
    for place, log in enumerate(logs):
        try:
            cell = finder.cell_of(log.levels, place)
            first = seen.setdefault((cell.id, log.round), place)
            if first != place:
                detail = f"round {log.round} of {cell.label} is at /logs/{first} already; number rounds apart"
                raise Invalid.at(pointer("logs", place, "round"), "duplicate_log", detail)
            result = _parsed(cell, log, place)
            copy = copies.notices(
                cell, (log.stdout, log.stderr), f"round {log.round} of {cell.label}", place, result
            )
            read.append(ReadLog(cell, log, result, (*other_settings(cell.levels, result), *copy)))
        except Invalid as error:
            problems += error.problems
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise Invalid(tuple(problems[:MAX_PROBLEMS]))
    among = AmongLogs((one.cell.levels, one.result) for one in read)
    return [replace(one, notices=(*one.notices, *among.notices(one.cell.levels, one.result))) for one in read]


class _Finder:
    """Finds cells by levels; equal levels are searched once."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        self._found: dict[tuple[tuple[str, str], ...], Cell] = {}

    def cell_of(self, levels: Mapping[str, object], place: int) -> Cell:
        """The one cell that has these levels. Raises Invalid."""
        key = tuple(sorted((name, repr(value)) for name, value in levels.items()))
        if key not in self._found:
            self._found[key] = self._only(levels, place)
        return self._found[key]

    def _only(self, levels: Mapping[str, object], place: int) -> Cell:
        at = ("logs", place, "levels")
        problems = [p for name, value in levels.items() if (p := self._wrong(name, value, at)) is not None]
        if problems:
            raise Invalid(tuple(problems))
        found = [cell for cell in self._cells if all(_same(cell.levels.get(n), v) for n, v in levels.items())]
        if len(found) == 1:
            return found[0]
        if not found:
            detail = "no cell of the experiment has these levels together; leave one out, or change it"
            raise Invalid.at(pointer(*at), "no_cell", detail)
        raise Invalid.at(pointer(*at), "several_cells", _what_is_missing(found))

    def _wrong(self, name: str, value: object, at: tuple[str | int, ...]) -> Problem | None:
        factor = FACTORS.get(name)
        if factor is None:
            return Problem(pointer(*at, name), "unknown_factor", unknown("factor", name, FACTORS))
        if not is_level(factor, value):
            detail = f"{shown(value)} is not a level; {allowed(factor)}"
            return Problem(pointer(*at, name), "unknown_level", detail)
        had = list(dict.fromkeys(cell.levels[name] for cell in self._cells if name in cell.levels))
        if any(_same(level, value) for level in had):
            return None
        there = f"it has {listed(had)}" if had else f"{name} applies to none of its cells; leave it out"
        detail = f"the experiment has no cell with {name} {shown(value)}: {there}"
        return Problem(pointer(*at, name), "level_not_in_experiment", detail)


def _same(level: Level | None, value: object) -> bool:
    """true is not 1 and “8” is not 8."""
    return type(level) is type(value) and level == value


def _what_is_missing(cells: Sequence[Cell]) -> str:
    """The factors in which these cells differ, with the levels to choose from."""
    apart: list[str] = []
    for name in FACTORS:
        levels = list(dict.fromkeys(cell.levels[name] for cell in cells if name in cell.levels))
        if len(levels) > 1 or 0 < sum(name in cell.levels for cell in cells) < len(cells):
            apart.append(f"{name} ({listed(levels)})")
    return f"{len(cells)} cells have these levels; add {' and '.join(apart)}"


def _parsed(cell: Cell, log: Log, place: int) -> ToolResult:
    tool = str(cell.levels["tool"])
    try:
        return PARSERS[tool].parse(log.stdout, log.stderr)
    except Unparseable as error:
        detail = f"{error}; give the complete output of one run of {tool}, or the levels of its cell"
        raise Invalid.at(pointer("logs", place, "stdout"), "unparseable", detail) from error
