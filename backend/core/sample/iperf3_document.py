"""The JSON document of iperf3 in its output: what is around it, a stream of events, and text that is none.

Sources: iperf_json_start, iperf_json_finish, JSONStream_Output of iperf_api.c; print_number of cJSON.c.
No object is made of what is read here: a hostile document would take many times its size in memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.report_lines import once

BEGIN: Final = re.compile(
    r'\{\s*"(start|intervals|end|error|title|extra_data|server_output_(?:json|text)|event)"'
)
"""The head of a report with the first of its keys, or of one event of a stream; it begins a line."""
DEEPEST: Final = 200
COOKIE: Final = re.compile(r'"cookie"\s*:\s*"([^"]{1,64})"')
"""Of one run. A stream may end with the whole report of its run (--json-stream-full-output)."""
EVENT: Final = re.compile(r'\s*\{\s*"event"\s*:\s*"([a-z_]{1,40})"\s*,\s*"data"\s*:')
NONE: Final = ("nan", "NaN", "NAN", "inf", "Inf", "INF")
NO_NUMBER: Final = re.compile(rf"(:[ \t]*)-?(?:{'|'.join(NONE)})(?:inity|INITY)?\b")
"""What C prints for a figure that is none, where JSON has no word for it."""
TEXT: Final = re.compile(r"^(?:Connecting to host |\[ *ID\] Interval |iperf Done\.)", re.M)
FAILED: Final = re.compile(r"^iperf3: error - ([^\n]{1,300})", re.M)


def report_in(stdout: str) -> tuple[str, str]:
    """The one report of an output as JSON text, and what is printed around it.

    A stream of events (--json-stream) becomes the report that -J prints. Raises Unparseable where there is
    no report, or a second one.
    """
    every = BEGIN.finditer(stdout)
    begins = [begin for begin in every if not _indentation(stdout, begin.start()).strip(" \t")]
    reports = [begin for begin in begins if begin.group(1) != "event"]
    once("iperf3", max(len(reports), len(set(COOKIE.findall(stdout))) if len(begins) > 1 else 1))
    if not begins:
        raise _without(stdout)
    if not reports:
        return _numbers(_of_stream(stdout, begins)), stdout[: begins[0].start()]
    start = reports[0].start()
    end = _end(stdout, reports[0])
    behind = stdout[end : stdout.find("\n", end) if "\n" in stdout[end:] else len(stdout)]
    once("iperf3", 1 + behind.lstrip().startswith("{"))
    return _numbers(stdout[start:end]), stdout[:start] + "\n" + stdout[end:]


def _indentation(text: str, place: int) -> str:
    """What precedes a place in its line, DEEPEST characters at the most."""
    before = text[max(0, place - DEEPEST) : place]
    return before[before.rfind("\n") + 1 :]


def _end(text: str, begin: re.Match[str]) -> int:
    """Where the document ends: on its own line, or with the brace that is indented like its first one."""
    line_end = text.find("\n", begin.start())
    if line_end < 0 or text[begin.start() : line_end].rstrip().endswith("}"):
        return len(text) if line_end < 0 else line_end
    key = text.find('"', begin.start())
    indentation = _indentation(text, begin.start())
    if _indentation(text, key) == indentation:  # that of its lines was lost
        return text.rfind("}") + 1
    closing = f"\n{indentation}}}"
    end = text.find(closing, begin.end())
    return end + len(closing) if end >= 0 else len(text)


def _of_stream(stdout: str, begins: Sequence[re.Match[str]]) -> str:
    """The report that the events of a stream make."""
    parts: dict[str, list[str]] = {"start": [], "interval": [], "end": [], "error": []}
    for begin in begins:
        line_end = stdout.find("\n", begin.start())
        line = stdout[begin.start() : line_end if line_end >= 0 else len(stdout)].rstrip()
        event = EVENT.match(line)
        if event is None or not line.endswith("}"):
            raise Unparseable("iperf3 printed half an event of a stream")
        parts.setdefault(event.group(1), []).append(line[event.end() : -1])
    once("iperf3", len(parts["start"]))
    whole = [f'"{name}":{parts[name][0]}' for name in ("start", "end", "error") if parts[name]]
    intervals = ",".join(parts["interval"])
    return "{" + ",".join([*whole, f'"intervals":[{intervals}]']) + "}"


def _numbers(text: str) -> str:
    return NO_NUMBER.sub(r"\1null", text) if any(word in text for word in NONE) else text


def _without(stdout: str) -> Unparseable:
    if failed := FAILED.search(stdout):
        return Unparseable(f"iperf3 ended with the error: {failed.group(1)}")
    if TEXT.search(stdout):
        return Unparseable("iperf3 printed its report as text, which is rounded; run iperf3 with -J")
    if not stdout.strip():
        return Unparseable("iperf3 printed no report")
    return Unparseable("iperf3 printed no JSON report; run iperf3 with -J")
