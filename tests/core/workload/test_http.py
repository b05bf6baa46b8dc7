"""The command lines of wrk and ab, word for word, and what they refuse."""

from __future__ import annotations

import pytest

from backend.core.definition.factors import Level
from backend.core.workload.ab import TOOL as AB
from backend.core.workload.target import Target
from backend.core.workload.wrk import TOOL as WRK

PONG = Target("198.18.64.2", 8080)
REPORT = "/usr/local/share/plimsoll/report.lua"


def wrk(**levels: Level) -> dict[str, Level]:
    return {"service": "pong", "clients": 4, "threads": 2, **levels}


def ab(**levels: Level) -> dict[str, Level]:
    return {"service": "pong", "clients": 4, "duration_s": 10, "warm_up_s": 2, **levels}


def test_wrk_prints_json_and_says_its_timeout() -> None:
    wanted = f"wrk -c4 -t2 -d10s --latency --timeout 2s -s {REPORT} http://198.18.64.2:8080/ping"
    assert " ".join(WRK.run(wrk(), PONG, 10)) == wanted


@pytest.mark.parametrize(
    ("service", "target", "url"),
    [
        ("pong", PONG, "http://198.18.64.2:8080/ping"),
        ("flask", Target("127.0.0.1", 8000), "http://127.0.0.1:8000/"),
        ("pong", Target("::1", 8080), "http://[::1]:8080/ping"),
    ],
)
def test_each_service_has_its_page(service: str, target: Target, url: str) -> None:
    assert WRK.run(wrk(service=service), target, 10)[-1] == url
    assert AB.run(ab(service=service), target, 10)[-1] == url


@pytest.mark.parametrize(
    ("clients", "threads", "opened", "remedy"),
    [
        (10, 4, 8, "multiple of 4"),
        (9, 2, 8, "multiple of 2"),
        (2, 4, 0, "at most 2"),
        (8, 4, 8, None),
        (1, 1, 1, None),
    ],
)
def test_wrk_refuses_connections_that_it_would_not_open(
    clients: int, threads: int, opened: int, remedy: str | None
) -> None:
    levels = wrk(clients=clients, threads=threads)
    refusal = WRK.refuse(levels)
    assert WRK.connections(levels) == opened
    assert refusal is None if remedy is None else refusal is not None and remedy in refusal


def test_ab_ends_by_time_because_n_follows_t() -> None:
    wanted = "ab -c 4 -t 10 -n 2000000 -l -q -e /dev/stdout http://198.18.64.2:8080/ping"
    assert " ".join(AB.run(ab(), PONG, 10)) == wanted
    assert "-k" in AB.run(ab(keep_alive=True), PONG, 10)


@pytest.mark.parametrize("name", ["duration_s", "warm_up_s"])
def test_ab_refuses_what_it_could_not_hold_in_memory(name: str) -> None:
    refusal = AB.refuse(ab(**{name: 301}))
    assert refusal is not None
    assert refusal.startswith(f"{name}: ")
    assert AB.refuse(ab(**{name: 300})) is None


def test_both_need_tcp() -> None:
    assert WRK.needs_tcp
    assert AB.needs_tcp
    assert AB.connections(ab(clients=7)) == 7
