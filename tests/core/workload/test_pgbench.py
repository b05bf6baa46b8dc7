"""pgbench's command lines, word for word."""

from __future__ import annotations

import pytest

from backend.core.definition.factors import Level
from backend.core.workload.latency_log import MOST_LINES
from backend.core.workload.pgbench import FASTEST, TOOL, initialise
from backend.core.workload.target import Target

LEVELS: dict[str, Level] = {"protocol": "prepared", "clients": 5, "threads": 1, "scale": 5}
TCP = Target("198.18.64.2", 5432)
TAIL = "-M prepared -c 5 -j 1 -T 10 -P 1"
TO_TCP = "-h 198.18.64.2 -p 5432 -U bench bench_s5"


@pytest.mark.parametrize(
    ("levels", "target", "wanted"),
    [
        ({}, TCP, f"pgbench -n -S {TAIL} {TO_TCP}"),
        ({"script": "simple_update"}, TCP, f"pgbench -n -N {TAIL} {TO_TCP}"),
        ({"script": "tpcb_like"}, TCP, f"pgbench -n -b tpcb-like {TAIL} {TO_TCP}"),
        ({"rate": 0, "reconnect": False}, TCP, f"pgbench -n -S {TAIL} {TO_TCP}"),
        ({"rate": 2000}, TCP, f"pgbench -n -S {TAIL} --rate=2000 {TO_TCP}"),
        ({"reconnect": True}, TCP, f"pgbench -n -S {TAIL} -C {TO_TCP}"),
        ({}, Target("", 5433, "/sockets"), f"pgbench -n -S {TAIL} -h /sockets -p 5433 -U bench bench_s5"),
        ({}, Target("::1", 5432), f"pgbench -n -S {TAIL} -h ::1 -p 5432 -U bench bench_s5"),
    ],
)
def test_the_run_names_every_setting_and_a_literal_address(
    levels: dict[str, Level], target: Target, wanted: str
) -> None:
    assert " ".join(TOOL.run({**LEVELS, **levels}, target, 10)) == wanted


def test_what_is_not_set_takes_the_default_of_the_factor() -> None:
    wanted = f"pgbench -n -S {TAIL} {TO_TCP}"
    assert " ".join(TOOL.run({"clients": 5}, TCP, 10)) == wanted


def test_filling_is_done_inside_the_server() -> None:
    assert " ".join(initialise(20, Target("127.0.0.1", 5432))) == (
        "pgbench -i -I dtgp -q -s 20 -h 127.0.0.1 -p 5432 -U bench bench_s20"
    )


def test_more_threads_than_clients_are_refused_with_the_remedy() -> None:
    refusal = TOOL.refuse({**LEVELS, "clients": 2, "threads": 4})
    assert refusal is not None
    assert refusal.startswith("threads: ")
    assert "at most 2" in refusal
    assert TOOL.refuse({**LEVELS, "clients": 4, "threads": 4}) is None


def test_it_can_use_a_unix_socket_and_opens_a_connection_a_client() -> None:
    assert not TOOL.needs_tcp
    assert TOOL.connections(LEVELS) == 5


def test_an_offered_rate_is_logged_beside_the_command_that_stays_as_it_is() -> None:
    log = TOOL.log({**LEVELS, "rate": 2000}, "/tmp/log-x")
    assert log is not None
    assert log.options == ("--log", "--log-prefix=/tmp/log-x")
    assert log.remove == ("sh", "-c", 'rm -f "$0".*', "/tmp/log-x")
    assert log.collect[:2] == ("sh", "-c") and log.collect[3] == "/tmp/log-x"
    assert "--log" not in TOOL.run({**LEVELS, "rate": 2000}, TCP, 10)


@pytest.mark.parametrize(
    ("seconds", "share"), [(1, "0.1"), (10, "0.1"), (50, "0.1"), (100, "0.05"), (3600, "0.00138889")]
)
def test_without_a_rate_a_sample_is_logged_that_fits(seconds: int, share: str) -> None:
    log = TOOL.log({**LEVELS, "duration_s": seconds}, "/tmp/log-x")
    assert log is not None
    assert log.options == ("--log", "--log-prefix=/tmp/log-x", f"--sampling-rate={share}")
    assert FASTEST * seconds * float(share) <= MOST_LINES * 1.00001


def test_more_latencies_than_the_log_holds_are_refused_with_the_remedy() -> None:
    refusal = TOOL.refuse({**LEVELS, "rate": 100_001, "duration_s": 10})
    assert refusal is not None and refusal.startswith("rate: ")
    assert "shorter duration_s" in refusal
    assert TOOL.refuse({**LEVELS, "rate": 100_000, "duration_s": 10}) is None
    assert TOOL.refuse({**LEVELS, "rate": 0, "duration_s": 3600}) is None
