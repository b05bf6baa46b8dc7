"""Parser of ab's output, in the form of ApacheBench 2.3 (httpd 2.2 and 2.4), with the table of `-e` in it.

Sources: output_results() of support/ab.c, and captured output under tests/fixtures/ab.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.ab_latencies import TABLES, Run, latencies_of, without_contradiction
from backend.core.sample.figures import MAX_OUTPUT, NUMBER, WHOLE
from backend.core.sample.identities import refuse_contradiction
from backend.core.sample.notice import Notice
from backend.core.sample.record import SecondPoint
from backend.core.sample.report_lines import (
    Found,
    Marked,
    Pasted,
    Row,
    Rows,
    first,
    group,
    once,
    printed,
)
from backend.core.sample.report_notices import ended_early, left_out, said, warnings_in
from backend.core.sample.result import Parser, Setting, ToolResult
from backend.core.workload.ab import MOST_PER_SECOND

ROWS: Final = Rows(
    "ab",
    Row("concurrency", "Concurrency Level:", f" +{WHOLE}", "Concurrency Level:", needed=True),
    Row("taken", "Time taken for tests:", f" +{NUMBER} seconds", "Time taken for tests:", needed=True),
    Row("complete", "Complete requests:", f" +{WHOLE}", "Complete requests:", needed=True),
    Row("failed", "Failed requests:", f" +{WHOLE}", "Failed requests:", needed=True),
    Row(
        "kinds",
        r"\(Connect: ",
        rf"{WHOLE},(?: Receive: {WHOLE},)? Length: {WHOLE}, Exceptions: {WHOLE}\)",
        "(Connect: …, Receive: …, Length: …, Exceptions: …)",
    ),
    Row("write", "Write errors:", f" +{WHOLE}", decides=True),
    Row("status", "Non-2xx responses:", f" +{WHOLE}", decides=True),
    Row("kept", "Keep-Alive requests:", f" +{WHOLE}", decides=True),
    Row(
        "rate",
        "Requests per second:",
        rf" +{NUMBER} \[#/sec\] \(mean\)",
        "Requests per second:",
        needed=True,
    ),
    Row(
        "per_request",
        "Time per request:",
        rf" +{NUMBER} \[ms\] \((mean(?:, across all concurrent requests)?)\)",
        listed=True,
    ),
    Row("document", "Document Path:", r" +(\S{1,300}).*"),
    Row("length", "Document Length:", f" +(?:{WHOLE} bytes|Variable)"),
    Row("total", "Total: {5,}(?=[0-9])", r"\S+(?: +\S+){2,4}"),
    Row("percentages", "Percentage of the requests served within a certain time", ".*"),
)
"""The lines of ab's report, without those of its percentiles."""
VERSION = Marked("This is ApacheBench", r"^This is ApacheBench, Version ([0-9][0-9a-z.]{0,20})")
HTML: Final = Marked("<tr ", r"^[ \t]*<tr [^>\n]{0,200}><th [^>\n]{0,200}>Concurrency Level:</th>")
PASTED: Final = Pasted(("Concurrency Level:", "This is ApacheBench"))
QUIET = Marked("(be patient)...", r"\(be patient\)\.\.\.")
"""With -q the end of a run is "..done" in stdout; without, it is "Finished" in stderr, after "Completed"."""


@dataclass(frozen=True)
class Failures:
    """Requests that went wrong. A body of another `length` than the first one is none: pages vary."""

    connect: int
    receive: int
    exceptions: int
    status: int
    write: int
    length: int

    @property
    def of_complete(self) -> int:
        """Those that ab counts as complete all the same."""
        return self.receive + self.exceptions + self.status

    @property
    def all(self) -> int:
        """Every one, whether ab counts it as complete or not."""
        return self.of_complete + self.connect + self.write


def parse(stdout: str, stderr: str) -> ToolResult:
    """The result of one run. Raises Unparseable with the reason unless the report is complete and successful.

    ab divides its mean latency out of the rate, so there is none here; its percentiles are measured.
    """
    stdout, stderr = printed("ab", MAX_OUTPUT, stdout, stderr, PASTED)
    if HTML.search(stdout):
        raise Unparseable("ab printed its report as HTML, which has no percentiles; run ab without -w")
    once("ab", len(TABLES.findall(stdout)))
    found = ROWS.read(stdout)
    concurrency, complete = (int(found[name][0].group(1)) for name in ("concurrency", "complete"))
    taken, rate = (float(found[name][0].group(1)) for name in ("taken", "rate"))
    failures = _failures(found)
    good = complete - failures.of_complete
    if good <= 0 or taken <= 0:
        raise Unparseable(
            f"ab got no successful response: {complete} requests in {taken:g} s, {_described(failures)}"
        )
    if complete >= MOST_PER_SECOND * taken:
        raise Unparseable(
            f"ab ended early: it reached its number of requests, {complete}, after only {taken:g} s"
        )
    refuse_contradiction("ab", rate, complete, taken, rounding=0.001)
    run = Run(concurrency, complete, taken, rate)
    latencies, notices = latencies_of(stdout, found, run)
    facts, odd = dict(_facts(found)), [*found.odd]
    if (impossible := without_contradiction(facts, run)) is not None:
        odd.append(impossible)
    return ToolResult(
        tool="ab",
        version=match.group(1) if (match := VERSION.search(stdout)) else None,
        operations=good,
        failed=failures.all,
        connections=concurrency,
        latency_measured=bool(latencies),
        metrics={"rps": rate * good / complete, **latencies},
        facts=facts,
        notices=(
            *notices,
            *_notices(complete, failures, facts),
            *map(left_out, odd),
            *_interrupted(stdout, stderr),
            *said(warnings_in(stdout) + warnings_in(stderr)),
        ),
        settings={"keep_alive": Setting(facts["keep_alive"] == "yes", facts["keep_alive"])},
    )


def progress(stdout: str, stderr: str) -> list[SecondPoint]:
    """With -q ab prints nothing while it runs."""
    return []


def _failures(found: Found) -> Failures:
    connect = receive = length = exceptions = 0
    if failed := int(found["failed"][0].group(1)):
        kinds = first(found, "kinds")
        if kinds is None:
            raise Unparseable("ab printed no line '(Connect: …, Receive: …, Length: …, Exceptions: …)'")
        connect, receive, length, exceptions = (int(count or 0) for count in kinds.groups())
        receive += max(0, failed - connect - receive - length - exceptions)  # 2.0 has no count of these
    return Failures(
        connect=connect,
        receive=receive,
        exceptions=exceptions,
        status=int(group(found, "status") or 0),
        write=int(group(found, "write") or 0),
        length=length,
    )


def _interrupted(stdout: str, stderr: str) -> Iterator[Notice]:
    quiet, both = QUIET.search(stdout) is not None, f"{stdout}\n{stderr}"
    completed, finished = "Completed " in both, "Finished " in both
    if (quiet and "..done" not in stdout) or (not quiet and completed and not finished):
        yield ended_early("ab was interrupted before its number of requests or its time was reached")


def _facts(found: Found) -> Iterator[tuple[str, str]]:
    kept = group(found, "kept")
    yield "keep_alive", "yes" if kept else "no"
    if kept:
        yield "keep_alive_requests", kept
    if document := group(found, "document"):
        yield "document", document
    if length := group(found, "length"):
        yield "document_bytes", length
    for line in found["per_request"]:
        if line.group(2) == "mean":
            yield "time_per_request_ms", f"{line.group(1)} (divided out of the rate)"


def _notices(complete: int, failures: Failures, facts: dict[str, str]) -> Iterator[Notice]:
    if failures.all:
        yield Notice(
            "failed requests", f"{_described(failures)}", "they are not in the rate; see the server's log"
        )
    if failures.length:
        yield Notice(
            "failed requests",
            f"{failures.length} answers have another length than the first one: ab calls them failed, and "
            "they are in the rate",
            "run it with -l where lengths vary; otherwise see the server's log",
        )
    kept = int(facts.get("keep_alive_requests", complete))
    # Each connection's last request is answered without being followed by another one on it.
    if kept < 0.99 * complete:
        yield Notice(
            "keep-alive",
            f"the server kept the connection in {kept} of {complete} requests",
            "use a server that keeps connections, or measure without -k",
        )


def _described(failures: Failures) -> str:
    return (
        f"{failures.status} with a status other than 2xx, connect {failures.connect}, "
        f"receive {failures.receive}, exceptions {failures.exceptions}, write {failures.write}"
    )


PARSER = Parser(parse=parse, progress=progress)
