"""The `progress:` lines of pgbench: printProgressReport of pgbench.c."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from statistics import median
from typing import Final

from pydantic import TypeAdapter

from backend.core.sample.figures import NUMBER
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import unread

WORD: Final = "progress: "
BEGIN: Final = re.compile(r"\n[ \t]*+progress: [0-9]")
LINE: Final = re.compile(r"\n[ \t]*+(progress: [0-9][^\n]*)(?=(\n?))")
"""In a text behind a line end: a pattern that begins with one is searched for that character alone."""
_NONE: Final = "-?(?:nan|NaN|inf)"
FORM: Final = re.compile(
    rf"progress: {NUMBER} s, (?:{NUMBER}|{_NONE}) tps, "
    rf"lat (?:{NUMBER}|{_NONE}) ms stddev (?:{NUMBER}|{_NONE})(.*)"
)
WHOLE: Final = re.compile(
    rf"\n[ \t]*+progress: {NUMBER} s, {NUMBER} tps, lat {NUMBER} ms stddev {NUMBER}[^\n]*+(?=\n)"
)
"""A line whose figures are all numbers, with its end: FORM reads the others."""
TIMESTAMP: Final = 1e9
"""--progress-timestamp prints seconds since 1970: nothing else is more than 31 years."""


_POINTS: Final = TypeAdapter(list[SecondPoint])
_Line = tuple[float, float, float, float]
"""Time in seconds, rate, latency and its deviation; 0 where there is none: so it is printed too."""


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """The lines of stderr, or of stdout where a log was written with 2>&1: time, rate and latency.

    A second without transactions has no latency; an incomplete line is left out.
    """
    lines = [line for line in _lines(_of(stdout, stderr), strict=False) if line is not None]
    return _points(_in_seconds(lines))


def points(stdout: str, stderr: str) -> tuple[list[SecondPoint], Sequence[str]]:
    """The same of a run that has ended, and which of its figures are left out.

    Raises Unparseable for a line that cannot be read.
    """
    lines = list(_lines(_of(stdout, stderr), strict=True))
    with_rate = [line for line in lines if line is not None]
    own = _of_last_run(with_rate)
    seconds = _in_seconds(own)
    found = _points(seconds)
    without = sum(not latency for _, _, latency, _ in seconds)
    left = []
    if len(own) < len(with_rate):
        before = len(with_rate) - len(own)
        left.append(f"{before} of {len(with_rate)} intervals are of a run before this one")
    if without:
        left.append(f"{without} of {len(found)} intervals had no transaction, so they have no latency")
    if len(with_rate) < len(lines):
        odd = len(lines) - len(with_rate)
        left.append(f"{odd} of {len(lines)} intervals have figures that are no numbers")
    if len(seconds) < len(own):
        left.append("one interval alone with a time stamp, whose distance from the start is not known")
    return found, left


def _of_last_run(lines: Sequence[_Line]) -> Sequence[_Line]:
    """The lines since time last went back: a run that ended without a report may precede this one."""
    begins = [place for place, (earlier, later) in enumerate(pairwise(lines), 1) if later[0] <= earlier[0]]
    return lines[begins[-1] :] if begins else lines


def _of(stdout: str, stderr: str) -> str:
    return stderr if WORD in stderr and LINE.search(f"\n{stderr}") else stdout


def _points(lines: Sequence[_Line]) -> list[SecondPoint]:
    """A latency of 0.000 ms is printed where there was no transaction: it has none."""
    return _POINTS.validate_python(
        [
            {
                "t": t,
                "rate": rate,
                "latency_ms": latency or None,
                "latency_stddev_ms": stddev if latency else None,
            }
            for t, rate, latency, stddev in lines
        ]
    )


def _lines(text: str, *, strict: bool) -> Iterable[_Line | None]:
    """The lines of a text; None for one whose rate is no number."""
    if WORD not in text:
        return ()
    whole = WHOLE.findall(f"\n{text}")
    if len(whole) < text.count(WORD) and len(whole) < len(BEGIN.findall(f"\n{text}")):
        return _each_line(text, strict=strict)
    figures = map(float, chain.from_iterable(whole))
    return zip(figures, figures, figures, figures, strict=True)


def _each_line(text: str, *, strict: bool) -> Iterator[_Line | None]:
    """The same where a line has no number for a figure, cannot be read, or is cut."""
    for match in LINE.finditer(f"\n{text}"):
        line, ended = match.groups()
        whole = FORM.fullmatch(line)
        if whole is None:
            if strict and ended:
                raise unread("pgbench", line, text.count("\n", 0, match.start()) + 1)
            continue
        t, rate, latency, stddev, rest = whole.groups()
        if not ended and not rest and not _three_decimals(stddev):
            continue  # the end of a text that is cut inside a figure
        yield (float(t), float(rate), float(latency or 0), float(stddev or 0)) if rate else None


def _three_decimals(figure: str | None) -> bool:
    return figure is None or len(figure.partition(".")[2]) == 3


def _in_seconds(lines: Sequence[_Line]) -> Sequence[_Line]:
    """The lines with times since the start. The first interval is as long as the others, so that it began
    one before the first time stamp; a single one has no known start and is left out."""
    if not lines or lines[0][0] < TIMESTAMP:
        return lines
    if len(lines) == 1:
        return []
    start = lines[0][0] - median(later[0] - earlier[0] for earlier, later in pairwise(lines))
    return [(round(t - start, 1), rate, latency, stddev) for t, rate, latency, stddev in lines]
