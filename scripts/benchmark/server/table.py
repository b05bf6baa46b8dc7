"""The figures of `scripts/bench server` as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

KEPT: Final = {
    "result, computed for the first time": "nothing",
    "result, computed before": "results, figures",
    "comparison, results read before": "results, figures, centres",
    "comparison, of other runs each": "centres",
    "comparison, read before": "figures, centres; the comparisons in memory",
}
"""What was kept in the database before these requests: of the runs that they name, and centres of the newest
runs of each experiment. Other requests read nothing that is kept."""
_HEAD: Final = (
    "| request | kept before | by | p50 | p95 | p99 | max | requests | failed |",
    "| --- | --- | --- |" + " ---: |" * 6,
)


def markdown(found: Mapping[str, Any]) -> str:
    """The tables of requests, streams and memory; times in ms, sizes in MB."""
    return "\n".join((*_requests(found), "", *_streams(found["streams"]), "", *_memory(found)))


def _requests(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _HEAD
    for name, groups in found["requests"].items():
        for group, figures in groups.items():
            yield _row(name, group, figures)
    yield _row("sign-in", "password", found["sign_in"]["sign_in"])
    for group, figures in found["sign_in"]["list_meanwhile"].items():
        yield _row("list during sign-ins", group, figures)


def _row(name: str, group: str, figures: Mapping[str, Any]) -> str:
    times = " | ".join(f"{figures[key]:.1f}" for key in ("p50_ms", "p95_ms", "p99_ms", "max_ms"))
    numbers = f"{figures['requests']} | {figures['failed']}"
    return f"| {name} | {KEPT.get(name, '')} | {group} | {times} | {numbers} |"


def _streams(figures: Mapping[str, Any]) -> Iterator[str]:
    names = (
        "streams",
        "events",
        "missing",
        "p50_ms",
        "p95_ms",
        "at_all_p95_ms",
        "max_ms",
        "later_than_target",
    )
    yield f"| {' | '.join(name.replace('_', ' ') for name in names)} |"
    yield "|" + " ---: |" * len(names)
    yield f"| {' | '.join(str(figures[name]) for name in names)} |"


def _memory(found: Mapping[str, Any]) -> Iterator[str]:
    moments = {
        "at rest": found["memory_at_rest"],
        "with streams": found["streams"]["memory"],
        "after all": found["memory_after"],
    }
    services = list(found["memory_at_rest"])
    yield f"| PSS (RSS) | {' | '.join(services)} |"
    yield "| --- |" + " ---: |" * len(services)
    for moment, held in moments.items():
        cells = (f"{held[name]['pss_mb']:.0f} ({held[name]['rss_mb']:.0f})" for name in services)
        yield f"| {moment} | {' | '.join(cells)} |"
