"""Imported logs that are another one again: a copy is no run of its own.

A copy may have been saved with other line ends, blanks or text around it: it has the same figures, with more
digits than two runs share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from backend.core.definition.checks import pointer
from backend.core.errors import Invalid
from backend.core.plan.model import Cell
from backend.core.sample.iperf3_document import COOKIE
from backend.core.sample.log_settings import OF_OTHER_CELL
from backend.core.sample.notice import Notice
from backend.core.sample.report_lines import as_printed
from backend.core.sample.result import ToolResult

PROGRESS: Final = re.compile(r"progress: [0-9][^\n]*")
MOST_BY_CHANCE: Final = 2
"""wrk's and ab's own text has so few digits that two runs may print the same. A third one is a copy."""


@dataclass
class _Seen:
    place: int
    where: str
    times: int = 1


@dataclass
class _Alike:
    """The logs with the same figures: the first, and all by their words, read once there are two."""

    first: tuple[str, str]
    seen: dict[str, _Seen] = field(default_factory=dict)
    by_words: dict[object, dict[str, _Seen]] = field(default_factory=dict)


class Copies:
    """Finds copies among the logs of one import, in the order given.

    In one cell they would count as independent rounds: they are refused unless `allowed`, or where two runs
    may print the same. In another cell they get a notice, and the two cells are not judged.
    """

    def __init__(self, allowed: bool) -> None:
        self._allowed = allowed
        self._known: dict[object, _Alike] = {}

    def notices(
        self, cell: Cell, texts: tuple[str, str], where: str, place: int, result: ToolResult
    ) -> tuple[Notice, ...]:
        """The notice of a copy; `where` names the cell and round of this log. Raises Invalid."""
        seen = self._seen(texts, result)
        own, other = seen.get(cell.id), next(iter(seen.values()), None)
        if own is None:
            seen[cell.id] = _Seen(place, where)
            if other is None:
                return ()
            figures = f"it has the same figures as that of {other.where}, and is no evidence of a difference"
            return (Notice(OF_OTHER_CELL, figures, "import each run once"),)
        own.times += 1
        by_chance = _has_few_digits(result) and own.times <= MOST_BY_CHANCE
        if not self._allowed and not by_chance:
            detail = (
                f"it has the same figures as the log at /logs/{own.place}; give the log of each run once, "
                "or set allow_identical"
            )
            raise Invalid.at(pointer("logs", place, "stdout"), "identical_log", detail)
        figures = f"it has the same figures as that of {own.where}, and is no evidence of spread"
        return (Notice("identical log", figures, "import each run once"),)

    def _seen(self, texts: tuple[str, str], result: ToolResult) -> dict[str, _Seen]:
        """The logs of the same run by the id of their cell."""
        key = _figures(result)
        if (alike := self._known.get(key)) is None:
            alike = self._known[key] = _Alike(texts)
            return alike.seen
        if not alike.by_words:
            alike.by_words[_words(alike.first, result)] = alike.seen
        return alike.by_words.setdefault(_words(texts, result), {})


def _figures(result: ToolResult) -> object:
    """The figures that a run and its copies have in common."""
    figures = (*sorted(result.metrics.items()), *sorted(result.facts.items()))
    return result.tool, result.version, result.operations, result.failed, figures


def _words(texts: tuple[str, str], result: ToolResult) -> object:
    """What else they have: iperf3's number of the run and pgbench's lines of progress, which may have time
    stamps; or all words where the figures have few digits."""
    if _has_few_digits(result):
        return tuple(" ".join(as_printed(text).split()) for text in texts)
    of_run = {"iperf3": COOKIE, "pgbench": PROGRESS}.get(result.tool)
    return tuple(of_run.findall("\n".join(map(as_printed, texts)))) if of_run else ()


def _has_few_digits(result: ToolResult) -> bool:
    """Whether two runs may print the same: pgbench prints six decimals, iperf3 a number of its own for each
    run, and report.lua microseconds."""
    return result.tool == "ab" or result.facts.get("source") == "text"
