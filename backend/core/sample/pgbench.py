"""Parser of pgbench's output, in the forms of versions 9.6 to 17 (and the older two-line tps).

Sources: the printResults and printProgressReport functions of PostgreSQL's pgbench.c by version, and
captured output under tests/fixtures/pgbench.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from backend.core.errors import Unparseable
from backend.core.sample.record import SecondPoint

MAX_OUTPUT = 1024 * 1024

NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
VERSION = re.compile(r"^pgbench \(([0-9][0-9a-z.]*)", re.M)
TPS = re.compile(rf"^tps = {NUMBER} \(([a-z ]+)\)", re.M)
LATENCY = re.compile(rf"^latency average(?: =|:) {NUMBER} ms", re.M)
STDDEV = re.compile(rf"^latency stddev(?: =|:) {NUMBER} ms", re.M)
PROCESSED = re.compile(r"^number of transactions actually processed: ([0-9]+)(?:/([0-9]+))?", re.M)
FAILED = re.compile(r"^number of failed transactions: ([0-9]+)", re.M)
CONNECTION = re.compile(rf"^(?:initial|average) connection time = {NUMBER} ms", re.M)
CLIENTS = re.compile(r"^number of clients: ([0-9]+)", re.M)
THREADS = re.compile(r"^number of threads: ([0-9]+)", re.M)
SCALE = re.compile(r"^scaling factor: ([0-9]+)", re.M)
MODE = re.compile(r"^query mode: ([a-z]+)", re.M)
PROGRESS = re.compile(
    rf"^progress: {NUMBER} s, {NUMBER} tps, lat (?:{NUMBER}|NaN) ms stddev (?:{NUMBER}|NaN|-nan)(.*)$", re.M
)

EXCLUDING = ("excluding connections establishing", "without initial connection time")
INCLUDING = ("including connections establishing", "including reconnection times")


@dataclass(frozen=True)
class PgbenchResult:
    """What one pgbench run reported.

    `tps` is transactions per second without the time to connect (with `-C`, which measures just
    that time, including it). `latency_measured` is False where pgbench did not measure latency but
    divided it out of the rate (no -P, -R or -L): the figure is then no observation.
    """

    version: str | None
    tps: float
    tps_including_connections: float | None
    latency_avg_ms: float | None
    latency_stddev_ms: float | None
    latency_measured: bool
    transactions: int
    failed: int
    connection_ms: float | None
    clients: int
    threads: int
    scale: int
    protocol: str
    per_second: tuple[SecondPoint, ...]


def parse(stdout: str, stderr: str) -> PgbenchResult:
    """Read one run. Raises Unparseable, naming what is missing, for anything but a whole good report."""
    if len(stdout) > MAX_OUTPUT or len(stderr) > MAX_OUTPUT:
        raise Unparseable(f"pgbench printed more than {MAX_OUTPUT} characters")
    processed = _found(PROCESSED, stdout, "number of transactions actually processed")
    if processed.group(2) and processed.group(1) != processed.group(2):
        raise Unparseable(f"pgbench stopped early: {processed.group(1)} of {processed.group(2)} transactions")
    excluding, including = _rates(stdout)
    stddev = _optional(STDDEV, stdout)
    return PgbenchResult(
        version=match.group(1) if (match := VERSION.search(stdout)) else None,
        tps=excluding,
        tps_including_connections=including,
        latency_avg_ms=_optional(LATENCY, stdout),
        latency_stddev_ms=stddev,
        latency_measured=stddev is not None,
        transactions=int(processed.group(1)),
        failed=int(match.group(1)) if (match := FAILED.search(stdout)) else 0,
        connection_ms=_optional(CONNECTION, stdout),
        clients=int(_found(CLIENTS, stdout, "number of clients").group(1)),
        threads=int(_found(THREADS, stdout, "number of threads").group(1)),
        scale=int(_found(SCALE, stdout, "scaling factor").group(1)),
        protocol=_found(MODE, stdout, "query mode").group(1),
        per_second=tuple(progress(stderr)),
    )


def progress(stderr: str) -> list[SecondPoint]:
    """The `progress:` lines: seconds since the start, rate, latency. A line without numbers is left out."""
    points = []
    for match in PROGRESS.finditer(stderr):
        t, tps, latency, stddev, _ = match.groups()
        points.append(
            SecondPoint(
                t=float(t),
                tps=float(tps),
                latency_ms=float(latency) if latency else None,
                latency_stddev_ms=float(stddev) if stddev else None,
            )
        )
    return points


def _rates(stdout: str) -> tuple[float, float | None]:
    rates = {match.group(2).strip(): float(match.group(1)) for match in TPS.finditer(stdout)}
    excluding = next((rates[name] for name in EXCLUDING if name in rates), None)
    including = next((rates[name] for name in INCLUDING if name in rates), None)
    rate = excluding if excluding is not None else including
    if rate is None:
        raise Unparseable("pgbench printed no line 'tps = …'")
    if not math.isfinite(rate) or rate <= 0:
        raise Unparseable(f"pgbench reported a rate of {rate:g} transactions per second")
    return rate, including


def _found(pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
    match = pattern.search(text)
    if match is None:
        raise Unparseable(f"pgbench printed no line '{what}'")
    return match


def _optional(pattern: re.Pattern[str], text: str) -> float | None:
    match = pattern.search(text)
    return float(match.group(1)) if match else None
