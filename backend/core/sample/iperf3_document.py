"""The JSON document of iperf3 in its output: what is around it, a stream of events, and text that is none.

Sources: iperf_json_start, iperf_json_finish, JSONStream_Output of iperf_api.c; print_number of cJSON.c.
No object is made of what is read here: a hostile document would take many times its size in memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import document
from backend.core.sample.iperf3_report import Failure
from backend.core.sample.report_lines import once

BEGIN: Final = re.compile(
    r'\{\s*"(start|intervals|end|error|title|extra_data|server_output_(?:json|text)|event)"'
)
"""The head of a report with the first of its keys, or of one event of a stream; it begins a line."""
DEEPEST: Final = 200
LONGEST_ERROR: Final = 300
MOST_RUNS: Final = 100
"""Runs of one log that are read for their errors."""
COOKIE: Final = re.compile(r'"cookie"\s*:\s*"([^"]{1,64})"')
"""Of one run. A stream may end with the whole report of its run (--json-stream-full-output)."""
EVENT: Final = re.compile(r'\s*\{\s*"event"\s*:\s*"([a-z_]{1,40})"\s*,\s*"data"\s*:')
NONE: Final = ("nan", "NaN", "NAN", "inf", "Inf", "INF")
NO_NUMBER: Final = re.compile(rf"(:[ \t]*)-?(?:{'|'.join(NONE)})(?:inity|INITY)?\b")
"""What C prints for a figure that is none, where JSON has no word for it."""
TEXT: Final = re.compile(r"^(?:Connecting to host |\[ *ID\] Interval |iperf Done\.)", re.M)
FAILED: Final = re.compile(r"^iperf3: error - ([^\n]{1,300})", re.M)


@dataclass(frozen=True)
class Found:
    """The one whole report of an output as JSON text, what is printed around it, and the runs that failed.

    `failed` has the error of each other run in the log, empty where it was cut. Of a single run the text is
    its own, whether it failed or not.
    """

    text: str
    around: str
    failed: tuple[str, ...] = ()


def report_in(stdout: str) -> Found:
    """The report of the one run that came to its end. A loop that tries again leaves those that failed first.

    A stream of events (--json-stream) becomes the report that -J prints. Raises Unparseable where there is
    no report, or a second one.
    """
    begins = [begin for begin in BEGIN.finditer(stdout) if _begins_a_line(stdout, begin.start())]
    if not begins:
        raise _without(stdout)
    reports = [begin for begin in begins if begin.group(1) != "event"]
    once("iperf3", len(reports) if len(reports) > MOST_RUNS else 1)
    if not reports:
        return _whole(_streams(stdout, begins, strict=True), stdout[: begins[0].start()])
    starts = [begin.start() for begin in reports]
    spans = [
        (begin.start(), min(_end(stdout, begin), following))
        for begin, following in zip(reports, [*starts[1:], len(stdout)], strict=True)
    ]
    around = _around(stdout, spans, frozenset(begin.start() for begin in begins))
    texts = [_numbers(stdout[start:end]) for start, end in spans]
    found = _whole([_Run(text, text.rstrip().endswith("}")) for text in texts], around)
    events = [begin for begin in begins if begin.group(1) == "event"]
    streams = [run for run in _streams(stdout, events, strict=False) if run.error() is None] if events else []
    cookies = (COOKIE.search(text) for text in (found.text, *(run.text for run in streams)))
    once("iperf3", len({cookie.group(1) for cookie in cookies if cookie}))
    return found


@dataclass(frozen=True)
class _Run:
    """The document of one run, and whether it has an end."""

    text: str
    has_end: bool

    def error(self) -> str | None:
        """Its error; empty for a run that was cut, None for one without."""
        return (document("iperf3", Failure, self.text).error or None) if self.has_end else ""


def _whole(runs: Sequence[_Run], around: str) -> Found:
    """The one run without an error; of a single one its reader says what is wrong with it."""
    if len(runs) == 1:
        return Found(runs[0].text, around)
    errors = [run.error() for run in runs]
    whole = [run.text for run, error in zip(runs, errors, strict=True) if error is None]
    once("iperf3", len(whole))
    failed = tuple(error for error in errors if error is not None)
    if not whole:
        last = f", the last with: {failed[-1][:LONGEST_ERROR]}" if failed[-1] else ""
        raise Unparseable(f"iperf3 ended with an error in each of {len(failed)} runs{last}")
    return Found(whole[0], around, failed)


def _around(stdout: str, spans: Sequence[tuple[int, int]], begins: frozenset[int]) -> str:
    """The text outside of the documents. Raises Unparseable for one behind another that is none itself."""
    parts, at = [], 0
    for start, end in spans:
        parts.append(stdout[at:start])
        line_end = stdout.find("\n", end)
        behind = stdout[end : line_end if line_end >= 0 else len(stdout)]
        place = end + len(behind) - len(behind.lstrip())
        once("iperf3", 1 + (behind.lstrip().startswith("{") and place not in begins))
        at = end
    return "\n".join((*parts, stdout[at:]))


def _begins_a_line(text: str, place: int) -> bool:
    """Whether only blanks precede a document, or the last brace of another one."""
    return not _indentation(text, place).strip(" \t}")


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
    indentation = _indentation(text, begin.start()).lstrip("}")
    if _indentation(text, key) == indentation:  # that of its lines was lost
        return text.rfind("}") + 1
    closing = f"\n{indentation}}}"
    end = text.find(closing, begin.end())
    return end + len(closing) if end >= 0 else len(text)


def _streams(stdout: str, begins: Sequence[re.Match[str]], *, strict: bool) -> list[_Run]:
    """The report that the events of each run make: one begins with "start", or with what the last one has."""
    runs: list[dict[str, list[str]]] = [{}]
    for begin in begins:
        line_end = stdout.find("\n", begin.start())
        line = stdout[begin.start() : line_end if line_end >= 0 else len(stdout)].rstrip()
        event = EVENT.match(line)
        if event is None or not line.endswith("}"):
            if strict:
                raise Unparseable("iperf3 printed half an event of a stream")
            continue
        name, last = event.group(1), runs[-1]
        if last and (name == "start" or ("end" if name == "interval" else name) in last):
            runs.append({})
        runs[-1].setdefault(name, []).append(line[event.end() : -1])
    once("iperf3", len(runs) if len(runs) > MOST_RUNS else 1)
    return [_Run(_numbers(_joined(parts)), "end" in parts) for parts in runs]


def _joined(parts: Mapping[str, Sequence[str]]) -> str:
    whole = [f'"{name}":{parts[name][0]}' for name in ("start", "end", "error") if name in parts]
    intervals = ",".join(parts.get("interval", ()))
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
