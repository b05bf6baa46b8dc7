"""Parser of pgbench's output, in the forms of versions 9.6 to 17 (and the older two-line tps).

Sources: the printResults and printProgressReport functions of PostgreSQL's pgbench.c by version, and
captured output under tests/fixtures/pgbench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, NUMBER, WHOLE, bounded, found, optional, single
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.result import Parser, ToolResult

VERSION = re.compile(r"^pgbench \(([0-9][0-9a-z.]*)", re.M)
TPS = re.compile(rf"^tps = {NUMBER} \(([a-z ]+)\)", re.M)
LATENCY = re.compile(rf"^latency average(?: =|:) {NUMBER} ms", re.M)
STDDEV = re.compile(rf"^latency stddev(?: =|:) {NUMBER} ms", re.M)
LAG = re.compile(rf"^rate limit schedule lag: avg {NUMBER} \(max {NUMBER}\) ms", re.M)
PROCESSED = re.compile(
    r"^number of transactions actually processed: ([0-9]{1,15})(?:/([0-9]{1,15}))?(?![0-9/])", re.M
)
FAILED = re.compile(rf"^number of failed transactions: {WHOLE}", re.M)
CONNECTION = re.compile(rf"^(?:initial|average) connection time = {NUMBER} ms", re.M)
CLIENTS = re.compile(rf"^number of clients: {WHOLE}", re.M)
THREADS = re.compile(rf"^number of threads: {WHOLE}", re.M)
SCALE = re.compile(rf"^scaling factor: {WHOLE}", re.M)
MODE = re.compile(r"^query mode: ([a-z]+)", re.M)
TYPE = re.compile(r"^transaction type: ([^\n]{1,100})", re.M)
PROGRESS = re.compile(
    rf"^progress: {NUMBER} s, {NUMBER} tps, lat (?:{NUMBER}|-?NaN) ms stddev (?:{NUMBER}|-?NaN|-?nan)(.*)$",
    re.M,
)

WITHOUT = ("excluding connections establishing", "without initial connection time")
RECONNECTING = "including reconnection times"
"""14 and later with -C: connecting is then part of each transaction, and there is no other rate."""
OLD_WITH = "including connections establishing"


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    `tps` is without the time to connect; with `-C`, which measures just that time, 14 and later include
    it. Without -P, -R or -L pgbench divides its latency out of the rate: it is then no observation. With
    -R latency counts from when a transaction was due, so that it is `open_latency_avg_ms`.
    """
    bounded("pgbench", MAX_OUTPUT, stdout, stderr)
    single("pgbench", stdout, PROCESSED, CLIENTS, LATENCY)
    processed = found("pgbench", PROCESSED, stdout, "number of transactions actually processed")
    if processed.group(2) and processed.group(1) != processed.group(2):
        raise Unparseable(f"pgbench stopped early: {processed.group(1)} of {processed.group(2)} transactions")
    operations = int(processed.group(1))
    rates = {match.group(2).strip(): float(match.group(1)) for match in TPS.finditer(stdout)}
    measured, latency = STDDEV.search(stdout) is not None, optional(LATENCY, stdout)
    metrics = {"tps": _rate(rates)}
    if measured and latency is not None:
        metrics["open_latency_avg_ms" if LAG.search(stdout) else "latency_avg_ms"] = latency
    if operations == 0:
        raise Unparseable("pgbench finished no transaction")
    facts = dict(_facts(stdout, rates))
    return ToolResult(
        tool="pgbench",
        version=match.group(1) if (match := VERSION.search(stdout)) else None,
        operations=operations,
        failed=int(match.group(1)) if (match := FAILED.search(stdout)) else 0,
        connections=int(facts["clients"]),
        latency_measured=measured,
        metrics=metrics,
        per_second=tuple(progress(stdout, stderr)),
        facts=facts,
        notices=tuple(_notices(facts)),
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """The `progress:` lines of stderr: seconds since the start, rate, latency.

    A log that was written with 2>&1 has them among its stdout; they are read there if stderr has none.
    A second without transactions has no latency; an incomplete line is left out.
    """
    points = []
    for match in PROGRESS.finditer(stderr if PROGRESS.search(stderr) else stdout):
        t, tps, latency, stddev, _ = match.groups()
        points.append(
            SecondPoint(
                t=float(t),
                rate=float(tps),
                latency_ms=float(latency) if latency else None,
                latency_stddev_ms=float(stddev) if stddev else None,
            )
        )
    return points


def _rate(rates: dict[str, float]) -> float:
    rate = next((rates[name] for name in (*WITHOUT, RECONNECTING) if name in rates), None)
    if rate is None:
        raise Unparseable(
            "pgbench printed no line 'tps = … (without initial connection time)' or its older form"
        )
    if rate <= 0:
        raise Unparseable(f"pgbench reported a rate of {rate:g} transactions per second")
    return rate


def _facts(stdout: str, rates: dict[str, float]) -> Iterator[tuple[str, str]]:
    yield "clients", found("pgbench", CLIENTS, stdout, "number of clients").group(1)
    yield "threads", found("pgbench", THREADS, stdout, "number of threads").group(1)
    yield "scale", found("pgbench", SCALE, stdout, "scaling factor").group(1)
    yield "protocol", found("pgbench", MODE, stdout, "query mode").group(1)
    if kind := TYPE.search(stdout):
        yield "transaction_type", kind.group(1)
    including = rates.get(OLD_WITH, rates.get(RECONNECTING))
    if including is not None:
        yield "tps_including_connections", str(including)
    if connection := CONNECTION.search(stdout):
        yield "connection_ms", connection.group(1)
    if stddev := STDDEV.search(stdout):
        yield "latency_stddev_ms", stddev.group(1)
    if lag := LAG.search(stdout):
        yield "schedule_lag_avg_ms", lag.group(1)
        yield "schedule_lag_max_ms", lag.group(2)


def _notices(facts: dict[str, str]) -> Iterator[Notice]:
    clients, scale = int(facts["clients"]), int(facts["scale"])
    # "TPC-B (sort of)" updates one row of `scale` rows of branches (PostgreSQL's documentation of pgbench).
    if "TPC-B" in facts.get("transaction_type", "") and clients > scale:
        yield Notice(
            "row locks",
            f"{clients} clients at scale {scale} wait for each other's branch rows",
            f"set the scale to at least {clients}",
        )


PARSER = Parser(parse=parse, progress=progress)
