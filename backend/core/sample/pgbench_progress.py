"""The `progress:` lines of pgbench: printProgressReport of pgbench.c."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from backend.core.sample.figures import NUMBER
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import unread

LINE: Final = re.compile(r"^progress: (?=[0-9])[^\n]*(\n?)", re.M)
FORM: Final = re.compile(
    rf"progress: {NUMBER} s, {NUMBER} tps, lat (?:{NUMBER}|-?nan) ms stddev (?:{NUMBER}|-?nan)(.*)", re.I
)
TIMESTAMP: Final = 1e9
"""--progress-timestamp prints seconds since 1970: nothing else is more than 31 years."""


@dataclass(frozen=True)
class _Line:
    t: float
    rate: float
    latency: float | None
    stddev: float | None

    @property
    def point(self) -> SecondPoint:
        """A latency of 0.000 ms is printed where there was no transaction: it has none."""
        has = bool(self.latency)
        return SecondPoint(
            t=self.t,
            rate=self.rate,
            latency_ms=self.latency if has else None,
            latency_stddev_ms=self.stddev if has else None,
        )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """The lines of stderr, or of stdout where a log was written with 2>&1: time, rate and latency.

    A second without transactions has no latency; an incomplete line is left out.
    """
    return [line.point for line in _in_seconds(list(_lines(_of(stdout, stderr), strict=False)))]


def points(stdout: str, stderr: str) -> tuple[list[SecondPoint], Sequence[str]]:
    """The same of a run that has ended, and which of its figures are left out.

    Raises Unparseable for a line that cannot be read.
    """
    lines = list(_lines(_of(stdout, stderr), strict=True))
    seconds = _in_seconds(lines)
    found = [line.point for line in seconds]
    without = sum(point.latency_ms is None for point in found)
    left = []
    if without:
        left.append(f"{without} of {len(found)} intervals had no transaction, so they have no latency")
    if len(seconds) < len(lines):
        left.append("one interval alone with a time stamp, whose distance from the start is not known")
    return found, left


def _of(stdout: str, stderr: str) -> str:
    return stderr if LINE.search(stderr) else stdout


def _lines(text: str, *, strict: bool) -> Iterator[_Line]:
    for match in LINE.finditer(text):
        whole, ended = FORM.fullmatch(match.group().rstrip()), bool(match.group(1))
        if whole is None:
            if strict and ended:
                raise unread("pgbench", match.group(), text.count("\n", 0, match.start()) + 1)
            continue
        t, rate, latency, stddev, rest = whole.groups()
        if not ended and not rest and not _three_decimals(stddev):
            continue  # the end of a text that is cut inside a figure
        yield _Line(
            float(t),
            float(rate),
            float(latency) if latency else None,
            float(stddev) if stddev else None,
        )


def _three_decimals(figure: str | None) -> bool:
    return figure is None or len(figure.partition(".")[2]) == 3


def _in_seconds(lines: Sequence[_Line]) -> Sequence[_Line]:
    """The lines with times since the start. The first interval is as long as the others, so that it began
    one before the first time stamp; a single one has no known start and is left out."""
    if not lines or lines[0].t < TIMESTAMP:
        return lines
    if len(lines) == 1:
        return []
    every = median(later.t - earlier.t for earlier, later in pairwise(lines))
    start = lines[0].t - every
    return [_Line(round(line.t - start, 1), line.rate, line.latency, line.stddev) for line in lines]
