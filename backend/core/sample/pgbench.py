"""Parser of pgbench's output, in the forms of versions 9.6 to 19 (and the older two-line tps).

Sources: the printResults and printProgressReport functions of PostgreSQL's pgbench.c by version, and
captured output under tests/fixtures/pgbench. The lines of its report are `ROWS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT, NUMBER, WHOLE
from backend.core.sample.identities import LEAST_BUSY, MOST_BUSY, mean_beside_rate
from backend.core.sample.notice import Notice
from backend.core.sample.pgbench_progress import points, progress
from backend.core.sample.pgbench_settings import (
    OLD_WITH,
    RECONNECTING,
    WITHOUT,
    facts_of,
    refuse_impossible_rate,
    settings_of,
)
from backend.core.sample.report_lines import Found, Marked, Pasted, Row, Rows, first, group, printed
from backend.core.sample.report_notices import left_out, said, warnings_in
from backend.core.sample.result import Parser, ToolResult

PROCESSED: Final = "number of transactions actually processed"
_SHARE: Final = r" \([^)]{1,20}\)"
ROWS: Final = Rows(
    "pgbench",
    Row(
        "processed",
        PROCESSED,
        r": ([0-9]{1,15})(?:/([0-9]{1,15}))?",
        needed=True,
    ),
    Row("clients", "number of clients", f": {WHOLE}", needed=True),
    Row("threads", "number of threads", f": {WHOLE}", needed=True),
    Row("scale", "scaling factor", f": {WHOLE}", needed=True),
    Row("mode", "query mode", ": ([a-z]+)", needed=True),
    Row("type", "transaction type", r": (\S.{0,99}).*"),
    Row("partitions", "partitions", f": {WHOLE}"),
    Row("duration", r"duration: (?=\S+ s[ \t]*$)", f"{WHOLE} s"),
    Row("per_client", "number of transactions per client", f": {WHOLE}"),
    Row("tries", "maximum number of tries", f": {WHOLE}"),
    Row("failed", "number of failed transactions", f": {WHOLE}{_SHARE}", decides=True),
    Row("kinds", "number of (?:serialization|deadlock|other) failures", f": {WHOLE}{_SHARE}", listed=True),
    Row("retried", "number of transactions retried", f": {WHOLE}({_SHARE})", decides=True),
    Row("retries", "total number of retries", f": {WHOLE}"),
    Row("skipped", "number of transactions skipped", f": {WHOLE}({_SHARE})", decides=True),
    Row(
        "above",
        "number of transactions above the ",
        f"{NUMBER} ms latency limit: {WHOLE}(?:/{WHOLE})?{_SHARE}",
    ),
    Row("latency", "latency average", rf"(?: =|:) {NUMBER} ms(?: \(including failures\))?"),
    Row("stddev", "latency stddev", f"(?: =|:) {NUMBER} ms"),
    Row("lag", "rate limit schedule lag", rf": avg {NUMBER} \(max {NUMBER}\) ms", decides=True),
    Row("connection", "(?:initial|average) connection time", f" = {NUMBER} ms"),
    Row("tps", "tps = ", rf"{NUMBER} \(([a-z ]+)\)", listed=True),
)
ROUNDING_MS: Final = 0.0005
"""A latency has three decimals."""
PASTED: Final = Pasted((PROCESSED, "progress: ", "tps = "))
VERSION = Marked("pgbench (", r"^pgbench \(([0-9][0-9a-z.]*)")
COUNTED = Marked("number of ", r"^(?:total )?number of [^:\n]{1,80}: 0*[1-9][^\n]*")
ABORTED = re.compile(r"^[^\n]{0,60}?\bclient ([0-9]{1,9})\b[^\n]{0,200}?\baborted\b", re.M | re.I)
TRANSLATED = re.compile(
    r"^[^\n]{0,60}?\bpgbench: (?:Fehler|Fatal|erreur|fatal(?= )|errore|erro|fel|hata|chyba|błąd|lỗi"
    "|ошибка|важно|помилка|エラー|致命的エラー|오류|错误|致命的|錯誤|შეცდომა|σφάλμα|שגיאה) ?[:：]|"
    r"^[^\n]{0,60}?\bcliente [0-9]{1,9}\b[^\n]{0,200}?\babort",
    re.M,
)
"""An error in another language (src/bin/pgbench/po): reports are printed in English, messages are not."""
INCOMPLETE: Final = "Run was aborted"
UNCONNECTED = re.compile(r'^[^\n]{0,60}?\bconnection to database "[^\n]{0,200}?" failed', re.M | re.I)
"""Before 14 a thread that cannot connect one of its clients ends, and the report counts its clients."""
DATABASE: Final = ('atabase "', 'ATABASE "')
"""What a text with such a message has."""
BEGINNING: Final = "starting vacuum"
"""A message above it is of an earlier attempt: pgbench connects once before it."""
OTHER_LANGUAGE = Marked("tps = ", r"^tps = [0-9.,]{1,40} \(([^)\n]{1,200})\)")


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    `tps` is without the time to connect; with `-C`, which measures just that time, 14 and later include
    it. Without -P, -R or -L pgbench divides its latency out of the rate: it is then no observation. With
    -R latency counts from when a transaction was due, so that it is `open_latency_avg_ms`.
    """
    stdout, stderr = printed("pgbench", MAX_OUTPUT, stdout, stderr, PASTED)
    _refuse_other_language(stdout)
    _refuse_without_report(stdout, stderr)
    found = ROWS.read(stdout)
    _refuse_incomplete(found, stdout, stderr)
    rates = _rates(found)
    refuse_impossible_rate(found, rates)
    facts = dict(facts_of(found, rates))
    series, left = points(stdout, stderr)
    rate = _rate(rates)
    metrics, unused = _latencies(found, rates, rate)
    return ToolResult(
        tool="pgbench",
        version=match.group(1) if (match := VERSION.search(stdout)) else None,
        operations=int(found["processed"][0].group(1)),
        failed=int(group(found, "failed") or 0),
        connections=int(facts["clients"]),
        latency_measured=bool(metrics),
        metrics={"tps": rate, **metrics},
        per_second=tuple(series),
        facts=facts,
        notices=(
            *_notices(facts),
            *_retried(found),
            *map(left_out, (*found.odd, *unused, *left)),
            *said(_unknown_counts(found, stdout) + warnings_in(stdout) + warnings_in(stderr)),
        ),
        settings=dict(settings_of(found, rates)),
    )


def _refuse_other_language(stdout: str) -> None:
    rate = OTHER_LANGUAGE.search(stdout)
    if rate is not None and rate.group(1) not in (*WITHOUT, RECONNECTING, OLD_WITH):
        raise Unparseable("pgbench printed its report in another language; set LC_ALL=C and run it again")


def _refuse_without_report(stdout: str, stderr: str) -> None:
    """--exit-on-abort (17 and later) ends the run without a report."""
    if PROCESSED not in stdout and any(INCOMPLETE in text for text in (stdout, stderr)):
        raise Unparseable("pgbench says that its run was aborted, and printed no report")


def _refuse_incomplete(found: Found, stdout: str, stderr: str) -> None:
    """A run without transactions, or in which fewer clients than at its beginning came to its end."""
    processed, clients = found["processed"][0], found["clients"][0].group(1)
    told = [text for text in (stdout, stderr) if "aborted" in text]
    aborted = {match.group(1) for text in told for match in ABORTED.finditer(text)}
    if aborted:
        raise Unparseable(
            f"{len(aborted)} of {clients} clients of pgbench aborted, so its figures are of fewer clients; "
            "repeat the run"
        )
    named = [text for text in (stdout, stderr) if any(word in text for word in DATABASE)]
    if any(UNCONNECTED.search(text.rpartition(BEGINNING)[2]) for text in named):
        raise Unparseable(
            f"a connection of pgbench failed, so its figures are of fewer than {clients} clients; "
            "repeat the run"
        )
    if any("pgbench: " in text and TRANSLATED.search(text) for text in (stdout, stderr)):
        raise Unparseable("pgbench printed an error in another language; set LC_ALL=C and run it again")
    if any(INCOMPLETE in text for text in told):
        raise Unparseable("pgbench says that its run was aborted and its results are incomplete")
    if processed.group(2) and processed.group(1) != processed.group(2) and not _not_counted(found):
        raise Unparseable(f"pgbench stopped early: {processed.group(1)} of {processed.group(2)} transactions")
    if int(processed.group(1)) == 0:
        raise Unparseable("pgbench finished no transaction")


def _unknown_counts(found: Found, stdout: str) -> list[str]:
    """Lines that count what no row knows: forks and later versions have lines of their own for failures."""
    known = {line.group().strip() for lines in found.lines.values() for line in lines}
    lines = (match.group().strip() for match in COUNTED.every(stdout))
    return [line for line in lines if line not in known]


def _not_counted(found: Found) -> bool:
    """Whether what is missing of the requested number of transactions failed or was skipped."""
    done, requested = (int(part) for part in found["processed"][0].groups())
    others = sum(int(group(found, name) or 0) for name in ("failed", "skipped"))
    return others > 0 and done + others == requested


def _rates(found: Found) -> dict[str, float]:
    """The rates by what they include. Raises Unparseable where one is printed twice."""
    rates = {line.group(2).strip(): float(line.group(1)) for line in found["tps"]}
    if len(rates) < len(found["tps"]):
        raise Unparseable(
            f"the output of pgbench contains {len(found['tps'])} reports; give one log for each run"
        )
    return rates


def _rate(rates: Mapping[str, float]) -> float:
    rate = next((rates[name] for name in (*WITHOUT, RECONNECTING) if name in rates), None)
    if rate is None:
        raise Unparseable(
            "pgbench printed no line 'tps = … (without initial connection time)' or its older form"
        )
    if rate <= 0:
        raise Unparseable(f"pgbench reported a rate of {rate:g} transactions per second")
    return rate


def _latencies(
    found: Found, rates: Mapping[str, float], rate: float
) -> tuple[dict[str, float], Sequence[str]]:
    """The measured mean, and why a printed one is not used."""
    latency, skipped = group(found, "latency"), int(group(found, "skipped") or 0)
    if latency is None or first(found, "stddev") is None:
        return {}, ()
    if float(latency) == 0:
        return {}, ("a mean latency of 0.000 ms",)
    if not found["lag"]:
        impossible = _beside_rate(found, float(latency), rates, rate)
        return ({}, (impossible,)) if impossible else ({"latency_avg_ms": float(latency)}, ())
    if skipped:
        share = (found["skipped"][0].group(2) or "").strip(" ()")
        return {}, (f"the latency: {skipped:,} transactions ({share}) that were late were skipped",)
    return {"open_latency_avg_ms": float(latency)}, ()


def _beside_rate(found: Found, mean_ms: float, rates: Mapping[str, float], rate: float) -> str | None:
    """Why the mean cannot be beside the rate.

    Failed transactions and reconnecting take time that is in no latency. With -t one client may be the last.
    """
    clients = int(found["clients"][0].group(1))
    other_work = RECONNECTING in rates or int(group(found, "failed") or 0) > 0
    least = 0.0 if other_work else LEAST_BUSY * (1 if first(found, "duration") is None else clients)
    return mean_beside_rate(mean_ms, rate, clients, least, MOST_BUSY * clients, ROUNDING_MS)


def _retried(found: Found) -> Iterator[Notice]:
    retried = int(group(found, "retried") or 0)
    if retried:
        share, retries = found["retried"][0].group(2).strip(" ()"), group(found, "retries") or retried
        yield Notice(
            "retried transactions",
            f"{retried:,} ({share}) were tried again, {int(retries):,} times in all; "
            "a latency includes its retries",
        )


def _notices(facts: Mapping[str, str]) -> Iterator[Notice]:
    clients, scale = int(facts["clients"]), int(facts["scale"])
    # "TPC-B (sort of)" updates one row of `scale` rows of branches (PostgreSQL's documentation of pgbench).
    if "TPC-B" in facts.get("transaction_type", "") and clients > scale:
        yield Notice(
            "row locks",
            f"{clients} clients at scale {scale} wait for each other's branch rows",
            f"set the scale to at least {clients}",
        )


PARSER = Parser(parse=parse, progress=progress)
