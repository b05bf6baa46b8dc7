"""Settings that imported logs print, beside the levels of their cells and beside other logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from backend.core.definition.factors import FACTORS, Level
from backend.core.sample.notice import Notice
from backend.core.sample.result import Setting, ToolResult
from backend.core.workload.iperf3 import DATAGRAM


@dataclass(frozen=True)
class Option:
    """An option of a tool that no factor sets: its words, unit, and what Plimsoll's own command has."""

    words: str
    unit: str = ""
    own: str = "none"
    of_udp: str | None = None


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
OWN_OPTION: Final = "other option than the cell's"
NONE: Final = "none"
OWN_OPTIONS: Final = {
    "max_tries": Option("maximum number of tries", own="1"),
    "latency_limit_ms": Option("latency limit", " ms"),
    "transactions_per_client": Option("transactions of each client"),
    "partitions": Option("partitions"),
    "block_bytes": Option("block size", " B", own="131072", of_udp=str(DATAGRAM)),
    "rate_limit_mbit_s": Option("rate limit", " Mbit/s"),
    "mss_bytes": Option("maximum segment size", " B"),
    "socket_buffer_bytes": Option("socket buffer", " B"),
    "omitted_s": Option("omitted time", " s"),
    "bytes_to_send": Option("bytes to send"),
    "blocks_to_send": Option("blocks to send"),
    "type_of_service": Option("type of service"),
    "paced_mbit_s": Option("pacing", " Mbit/s"),
}
"""Facts of a log that no factor sets, with what the commands of `core.workload` have."""
OPTIONS: Final = {"sender_tcp_congestion": "congestion control"}
"""Facts of a log that its host decides, in words."""
LENGTH: Final = "length"
ALIKE: Final = 1.1
"""Lengths of one document may differ by this factor: pages hold dates and counters."""
OF_OTHER_CELL: Final = "log of another cell"
APART: Final = frozenset((*OTHER.values(), OWN_OPTION, VERSION, DOCUMENT, OPTION, OF_OTHER_CELL))
"""Notices of what differs beside the levels: cells whose logs do not have the same of them are not judged."""
LONGEST: Final = 120
"""Characters of a list of other logs' settings."""


def other_settings(levels: Mapping[str, Level], result: ToolResult) -> Iterator[Notice]:
    """A notice for each setting of a log that its cell has otherwise."""
    for factor, setting in result.settings.items():
        if factor in levels and not _fits(factor, levels, setting):
            has, wanted = _printed(factor, levels, setting), _in_words(factor, _text(factor, levels))
            yield Notice(OTHER[factor], f"the log has {has}, the cell {wanted}")
    yield from _other_load(levels, result)
    yield from _other_options(levels, result)


def _other_options(levels: Mapping[str, Level], result: ToolResult) -> Iterator[Notice]:
    """Options that the cell's command does not have."""
    for name, option in OWN_OPTIONS.items():
        has = result.facts.get(name, option.own)
        own = option.of_udp if option.of_udp and levels.get("transport") == "udp" else option.own
        if name in result.facts and has != own:
            has, own = (text if text == NONE else f"{text}{option.unit}" for text in (has, own))
            yield Notice(OWN_OPTION, f"the log has {option.words} {has}, the cell {own}")


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
    if factor == "rate" and not (level and found):
        return bool(level) == bool(found)
    if isinstance(level, str | bool) or isinstance(found, str | bool):
        return level == found
    return abs(level - found) <= setting.slack


def _printed(factor: str, levels: Mapping[str, Level], setting: Setting) -> str:
    """A setting as the log has it: of an offered rate only the bounds are known, which differ by log."""
    if factor == "rate" and levels[factor] and setting.level:
        return "a lower one" if float(setting.level) < int(levels[factor]) else "a higher one"
    return _in_words(factor, setting.text)


def _text(factor: str, levels: Mapping[str, Level]) -> str:
    level = levels[factor]
    if factor == "threads" and not level:
        level = levels["clients"]
    if factor == "rate" and not level:
        return NONE
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
            others = sorted(other for other in self._known[key] if _are_apart(key, own, other))
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
    if (length := result.facts.get("document_bytes")) is not None:
        yield (DOCUMENT, str(levels.get("service")), LENGTH), f"{length} bytes"


def _are_apart(key: tuple[str, ...], own: str, other: str) -> bool:
    if key[-1] != LENGTH:
        return own != other
    shorter, longer = sorted(int(text.split()[0]) for text in (own, other))
    return longer > ALIKE * shorter
