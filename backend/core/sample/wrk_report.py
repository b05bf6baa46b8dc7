"""What wrk printed: the line of Plimsoll's report.lua, or wrk's own text where that is missing.

Sources: main() and print_* of wrk.c, units.c and stats.c of 4.0 to 4.2.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from backend.core.errors import Unparseable
from backend.core.sample.figures import NUMBER, WHOLE, Outside, document
from backend.core.sample.identities import refuse_contradiction
from backend.core.sample.report_lines import Found, Row, Rows, first, group

MARK = "PLIMSOLL "
SECONDS: Final = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
MICROSECONDS: Final = {unit: round(seconds * 1e6) for unit, seconds in SECONDS.items()}
_UNIT = r"(us|ms|s|m|h)(?![a-z])"

FRAME: Final = Rows(
    "wrk",
    Row(
        "shape",
        r" *(?=\S+ threads and )",
        "([0-9]{1,9}) threads and ([0-9]{1,9}) connections",
        "… threads and … connections",
        needed=True,
    ),
    Row("transfer", "Transfer/sec:", " +[0-9.]{1,20}[KMGTP]?B", "Transfer/sec:", needed=True),
    Row("mark", MARK, ".*"),
    Row("url", "Running .{1,40} test @ ", r" *(\S{1,300}).*"),
)
"""The ends of a report, and what is printed before and behind it."""
TEXT: Final = Rows(
    "wrk",
    Row(
        "requests",
        r" *(?=\S+ requests in )",
        rf"{WHOLE} requests in {NUMBER}{_UNIT}, \S+ read",
        "… requests in …",
        needed=True,
    ),
    Row("rate", "Requests/sec:", f" +{NUMBER}", "Requests/sec:", needed=True),
    Row(
        "socket",
        "Socket errors:",
        f" connect {WHOLE}, read {WHOLE}, write {WHOLE}, timeout {WHOLE}",
        decides=True,
    ),
    Row("status", "Non-2xx or 3xx responses:", f" {WHOLE}", decides=True),
    Row(
        "latency",
        "Latency +(?!Distribution)",
        rf"{NUMBER}{_UNIT} +\S+ +{NUMBER}{_UNIT} +\S+%",
        "Latency …",
    ),
    Row("distribution", "Latency Distribution", ""),
    Row("share", "(?=[0-9.]+%)", rf"([0-9.]{{1,9}})% +{NUMBER}{_UNIT}", listed=True),
)
"""The lines between them."""
SHARES: Final = ("50", "75", "90", "99")
"""The percentiles that --latency prints."""

LONGEST_US: Final = 10**15 - 1
Count = Annotated[int, Field(ge=0, lt=10**15)]
Microseconds = Annotated[float, Field(ge=0, lt=1e15)]


class Errors(Outside):
    """What wrk counted as gone wrong. `status` is above 399; `timeout` an answer later than --timeout."""

    connect: Count
    read: Count
    write: Count
    status: Count
    timeout: Count


class Mean(Outside):
    """Of all answers that came before --timeout, and of the samples that wrk added."""

    mean: Microseconds
    max: Microseconds


class Latency(Mean):
    """The same with percentiles, which wrk prints with --latency only."""

    p50: Microseconds
    p99: Microseconds


class Report(Outside):
    """What wrk counted and measured. `latency_us` is None where no answer came in time."""

    duration_us: Annotated[int, Field(gt=0, le=LONGEST_US)]
    requests: Count
    bytes: Count
    errors: Errors
    latency_us: Mean | None
    histogram: Annotated[
        list[Annotated[list[Count], Field(min_length=2, max_length=2)]], Field(max_length=5000)
    ]

    @property
    def rate(self) -> float:
        """Requests per second, those included that failed."""
        return self.requests / self.duration_us * 1e6


class PrintedAsText(Report):
    """wrk's own text, which has the rate with two decimals and the duration with less."""

    printed_rate: float
    odd: tuple[str, ...]

    @property
    def rate(self) -> float:
        """Requests per second as it is printed."""
        return self.printed_rate


class PrintedByScript(Report):
    """What report.lua prints: percentiles as well."""

    latency_us: Latency | None


def read_report(stdout: str, frame: Found) -> Report:
    """What Plimsoll's script printed behind wrk's own last line, or that text where it did not run."""
    mark, end = first(frame, "mark"), frame["transfer"][0].end()
    if mark is None and not _half_a_mark(stdout[end:]):
        return _text(stdout, frame["shape"][0].start(), end)
    if mark is None or mark.start() < end or "\n" not in stdout[mark.start() :]:
        raise Unparseable(f"wrk printed half a line '{MARK}{{…}}'")
    return document("wrk", PrintedByScript, mark.group().removeprefix(MARK))


def _half_a_mark(rest: str) -> bool:
    """Whether the text ends inside the word with which the script's line begins."""
    last = rest.rpartition("\n")[2]
    return bool(last) and MARK.startswith(last)


def _text(stdout: str, begin: int, end: int) -> Report:
    """The plain text: two decimals with a unit. "N requests in 1.00m" is too coarse, so the rate counts."""
    found = TEXT.read(stdout[begin:end], before=stdout.count("\n", 0, begin))
    requests, rate = int(found["requests"][0].group(1)), float(found["rate"][0].group(1))
    if requests == 0 or rate <= 0:
        raise Unparseable(f"wrk reported {requests} requests at {rate:g} a second")
    seconds = SECONDS[found["requests"][0].group(3)]
    time = float(found["requests"][0].group(2)) * seconds
    refuse_contradiction("wrk", rate, requests, time, rounding=seconds / 100)
    socket = first(found, "socket")
    connect, read, write, timeout = (int(count) for count in socket.groups()) if socket else (0, 0, 0, 0)
    return PrintedAsText(
        printed_rate=rate,
        odd=found.odd,
        duration_us=min(max(1, round(requests / rate * 1e6)), LONGEST_US),
        requests=requests,
        bytes=0,
        errors=Errors(
            connect=connect,
            read=read,
            write=write,
            status=int(group(found, "status") or 0),
            timeout=timeout,
        ),
        latency_us=_text_latency(found),
        histogram=[],
    )


def _text_latency(found: Found) -> Mean | None:
    head = first(found, "latency")
    if head is None:
        if found.odd:
            return None
        raise Unparseable("wrk printed no line 'Latency …'")
    mean, latest = _us(head.group(1), head.group(2)), _us(head.group(3), head.group(4))
    if latest <= 0:
        return None
    shares = {line.group(1): _us(line.group(2), line.group(3)) for line in found["share"]}
    if found.odd or (not found["distribution"] and not shares):
        return Mean(mean=mean, max=latest)
    for share in SHARES:
        if share not in shares:
            raise Unparseable(f"wrk printed no line '{share}% …'")
    return Latency(mean=mean, p50=shares["50"], p99=shares["99"], max=latest)


def _us(number: str, unit: str) -> float:
    return min(float(number) * MICROSECONDS[unit], 9e14)
