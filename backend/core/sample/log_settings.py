"""Settings that imported logs print, beside the levels of their cells and beside other logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from backend.core.definition.factors import FACTORS, Level
from backend.core.sample.notice import Notice
from backend.core.sample.result import Setting, ToolResult

OTHER: Final = {
    "clients": "other load than the cell's",
    "threads": "other threads than the cell's",
    "protocol": "other query protocol than the cell's",
    "script": "other script than the cell's",
    "scale": "other scale than the cell's",
    "rate": "other offered rate than the cell's",
    "reconnect": "other connecting than the cell's",
    "keep_alive": "other keep-alive than the cell's",
    "transport": "other transport than the cell's",
    "reverse": "other direction than the cell's",
    "udp_mbit_s": "other offered UDP rate than the cell's",
    "duration_s": "other duration than the cell's",
}
"""The notice of a log with another level of a factor than its cell has."""
VERSION: Final = "other version than other logs"
DOCUMENT: Final = "other document than other logs"
OPTION: Final = "other option than other logs"
OPTIONS: Final = {
    "block_bytes": "block size",
    "max_tries": "maximum number of tries",
    "latency_limit_ms": "latency limit",
}
"""Facts of a log that no factor sets, in words."""
OF_OTHER_CELL: Final = "log of another cell"
APART: Final = frozenset((*OTHER.values(), VERSION, DOCUMENT, OPTION, OF_OTHER_CELL))
"""Notices of what differs beside the levels: cells whose logs do not have the same of them are not judged."""
LONGEST: Final = 120
"""Characters of a list of other logs' settings."""


def other_settings(levels: Mapping[str, Level], result: ToolResult) -> Iterator[Notice]:
    """A notice for each setting of a log that its cell has otherwise."""
    for factor, setting in result.settings.items():
        if factor in levels and not _fits(factor, levels, setting):
            has, wanted = _in_words(factor, setting.text), _in_words(factor, _text(factor, levels))
            yield Notice(OTHER[factor], f"the log has {has}, the cell {wanted}")
    yield from _other_load(levels, result)


def _other_load(levels: Mapping[str, Level], result: ToolResult) -> Iterator[Notice]:
    """Another number of connections; wrk opens the same number for each thread."""
    clients, threads = int(levels["clients"]), int(levels.get("threads", 1)) or 1
    opened = clients // threads * threads if result.tool == "wrk" else clients
    if result.connections not in (clients, opened):
        figures = f"the log is of {result.connections} connections, not of {clients}"
        yield Notice(OTHER["clients"], figures)


def _fits(factor: str, levels: Mapping[str, Level], setting: Setting) -> bool:
    level, found = levels[factor], setting.level
    if factor == "threads":
        return (int(level) or int(levels["clients"])) == found
    if factor == "rate":
        return bool(level) == found
    if isinstance(level, str | bool) or isinstance(found, str | bool):
        return level == found
    return abs(level - found) <= setting.slack


def _text(factor: str, levels: Mapping[str, Level]) -> str:
    level = levels[factor]
    if factor == "threads" and not level:
        level = levels["clients"]
    if factor == "rate":
        level = bool(level)
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


def _in_words(factor: str, text: str) -> str:
    unit = FACTORS[factor].unit if text.replace(".", "").isdecimal() else ""
    return f"{text} {unit}".rstrip()


class AmongLogs:
    """Settings that no factor sets, over all logs: a tool's version and options, the document of a URL."""

    def __init__(self, logs: Iterable[tuple[Mapping[str, Level], ToolResult]]) -> None:
        self._known: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for levels, result in logs:
            for key, own in _free(levels, result):
                self._known[key].add(own)

    def notices(self, levels: Mapping[str, Level], result: ToolResult) -> Iterator[Notice]:
        """The notices of one log where others have another version or document."""
        for key, own in _free(levels, result):
            others = sorted(self._known[key] - {own})
            if others:
                yield Notice(key[0], f"the log has {own}, others {', '.join(others)[:LONGEST]}")


def _free(levels: Mapping[str, Level], result: ToolResult) -> Iterator[tuple[tuple[str, ...], str]]:
    """The kind of notice with the logs among which a setting is compared, and the setting."""
    if result.version is not None:
        yield (VERSION, result.tool), f"{result.tool} {result.version}"
    for name, words in OPTIONS.items():
        if name in result.facts:
            yield (OPTION, result.tool, name), f"{words} {result.facts[name]}"
    url, document = result.facts.get("url"), result.facts.get("document")
    if url is not None:
        document = "/" + url.partition("://")[2].partition("/")[2]
    if document is not None:
        yield (DOCUMENT, str(levels.get("service"))), document
