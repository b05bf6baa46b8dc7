"""Every detector: what makes it speak, what keeps it silent, and how its sentence is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.sample.noise import Background, Held, NoiseReadings
from backend.core.sample.notice import Notice
from backend.core.sample.record import CpuByRole
from backend.core.sample.result import ToolResult
from backend.core.sample.warnings import warnings

RESULT = ToolResult("pgbench", "15", 10_000, 0, 5, True, {"tps": 1000.0})
CPU = CpuByRole(
    roles={"client": 5.0, "server": 9.0, "proxy": 0.0, "kernel": 0.2, "other": 0.3},
    tasks_total=14.5,
    host_busy=14.9,
    unattributed=0.4,
    idle=5.0,
    steal=0.1,
    capacity=20.0,
    sources={},
)
LEVELS: Mapping[str, Level] = {"service": "postgres", "tool": "pgbench", "scale": 5, "shared_buffers_mb": 512}
QUIET = NoiseReadings(
    cpus=2,
    client_thread=0.94,
    held={"server": Held(100, 1, 0.01)},
    background=Background(0.2, 2.0),
    load=1.0,
    pressure=0.1,
    allowed={"client": frozenset({0, 1}), "server": frozenset({0, 1})},
    listen_overflows=0,
    listen_drops=0,
    tcp_timeouts=0,
    tcp_retransmits=12,
    time_wait=100,
    ports=28232,
    conntrack=10,
    conntrack_max=262144,
    conntrack_dropped=0,
    autovacuums=0,
    checkpoints=0,
    blocks_read=100,
    clocksource="tsc",
    governor="performance",
)


def _said(readings: NoiseReadings = QUIET, **levels: Level) -> list[str]:
    return [str(notice) for notice in warnings(readings, RESULT, CPU, {**LEVELS, **levels})]


def test_a_quiet_trial_and_one_without_readings_warn_of_nothing() -> None:
    assert _said() == []
    assert _said(NoiseReadings()) == []


@pytest.mark.parametrize(
    ("change", "title", "figure"),
    [
        ({"client_thread": 0.95}, "client thread saturated", "95%"),
        ({"held": {"server": Held(100, 87, 3.2)}}, "throttled server", "87% of the periods, 3.20 s"),
        ({"held": {"front": Held(50, 1, 0.02)}}, "throttled reverse proxy", "2%"),
        ({"held": {"client": Held(50, 5, 0.1)}}, "throttled client", "10%"),
        ({"background": Background(0.75, 2.0)}, "background load before the run", "0.30 cores in the 2.0 s"),
        ({"listen_overflows": 3, "listen_drops": 4}, "accept queue overflow", "3 connections"),
        ({"listen_drops": 4}, "accept queue overflow", "4 were dropped"),
        ({"time_wait": 14_117}, "TIME_WAIT near the port range", "14,117"),
        ({"conntrack": 209_716}, "conntrack near full", "209,716 of 262,144"),
        ({"conntrack_dropped": 1}, "conntrack dropped packets", "1 in the window"),
        ({"tcp_timeouts": 2}, "TCP timeouts", "2 in the window"),
        ({"autovacuums": 1}, "autovacuum in the window", "1 of its passes"),
        ({"checkpoints": 1}, "checkpoint in the window", "wrote 1"),
        ({"blocks_read": 2_500}, "reads outside the buffers", "2,500 blocks, 0.25 a transaction"),
        ({"clocksource": "hpet"}, "slow clock", "hpet"),
        ({"governor": "powersave"}, "CPU frequency may vary", "powersave"),
    ],
)
def test_one_reading_speaks_with_its_figure(change: dict[str, Any], title: str, figure: str) -> None:
    (said,) = _said(replace(QUIET, **change))
    assert said.startswith(f"{title}: ")
    assert figure in said
    assert "; " in said, "a warning says what to do"


@pytest.mark.parametrize(
    "change",
    [
        {"background": Background(0.35, 2.0)},  # making the client ready costs that much
        {"background": Background(0.9, 0.3)},  # too short a sample
        {"time_wait": 14_116},
        {"conntrack": 209_715},
        {"ports": None, "time_wait": 99_999},
        {"conntrack_max": None, "conntrack": 262_144},
        {"held": {"server": Held(0, 0, 0.0)}},
    ],
)
def test_below_its_limit_a_reading_is_silent(change: dict[str, Any]) -> None:
    assert _said(replace(QUIET, **change)) == []


def test_roles_overlap_only_where_a_cpuset_was_asked_for() -> None:
    (said,) = _said(server_cpuset="0-1")
    assert said.startswith(
        "role overlap on CPUs: cpusets are set, but client and server on CPU 0,1 overlap; "
    )
    apart = replace(QUIET, allowed={"client": frozenset({1}), "server": frozenset({0})})
    assert _said(apart, server_cpuset="0", client_cpuset="1") == []
    fronted = replace(apart, allowed={**apart.allowed, "front": frozenset({0, 1})})
    (said,) = _said(fronted, client_cpuset="1")
    assert "client and reverse proxy on CPU 1, server and reverse proxy on CPU 0 overlap" in said


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({"server_cpus": 2, "gomaxprocs": 3}, "GOMAXPROCS is 3, while the server may use 2"),
        ({"server_cpus": 1, "gomaxprocs": 0}, "GOMAXPROCS is not set and the host has 2 CPUs"),
        ({"server_cpus": 2, "gomaxprocs": 2}, None),
        ({"server_cpus": 0, "gomaxprocs": 8}, None),
        ({"server_cpus": 2}, None),
    ],
)
def test_gomaxprocs_is_held_against_the_quota(levels: dict[str, Level], words: str | None) -> None:
    said = _said(service="pong", **levels)
    if words is None:
        assert said == []
    else:
        assert said[0].startswith("GOMAXPROCS above the quota: ")
        assert words in said[0]


def test_reads_are_expected_where_the_data_does_not_fit_or_caches_were_dropped() -> None:
    reading = replace(QUIET, blocks_read=9_000)
    assert _said(reading, scale=100) == []
    assert _said(reading, fresh_server=True) == []
    assert len(_said(reading, scale=100, storage="memory")) == 1


def test_cpu_of_others_and_of_the_hypervisor() -> None:
    busy = CPU.model_copy(update={"roles": {**CPU.roles, "other": 1.2}, "steal": 0.3})
    steal, background = map(str, warnings(QUIET, RESULT, busy, LEVELS))
    assert steal == "steal: the hypervisor took 1.5% of the CPU; use a quieter machine"
    assert background.startswith(
        "background load: other processes of the host used 0.12 cores during the window"
    )
    assert background.endswith("; stop the other processes of the host, or compare the roles' own CPU")


def test_the_advice_says_what_to_stop_before_the_run_is_started_again() -> None:
    readings = replace(QUIET, background=Background(0.75, 2.0))
    (notice,) = map(str, warnings(readings, RESULT, CPU, LEVELS))
    assert notice.endswith("; stop the other processes of the host and start the run again")


@pytest.mark.parametrize(
    ("tool", "unit"), [("pgbench", "per second"), ("wrk", "per second"), ("iperf3", "Gbit/s")]
)
def test_what_the_tool_saw_is_said_in_its_own_unit(tool: str, unit: str) -> None:
    result = replace(RESULT, tool=tool, failed=100, notices=(Notice("rounded", "to 1 ms", "use wrk"),))
    steady, failed, rounded = map(str, warnings(QUIET, result, CPU, LEVELS, (10.0, 8.0)))
    assert steady.startswith(
        f"not steady: 8 {unit} in the second half of the window, -20% from 10 in the first"
    )
    assert failed.startswith("failed operations: 100 (0.99%) failed and are not counted")
    assert rounded == "rounded: to 1 ms; use wrk"


def test_counters_that_disagree_are_told_with_their_share() -> None:
    def said(overlap: float) -> tuple[str, ...]:
        found = warnings(QUIET, RESULT, CPU.model_copy(update={"overlap": overlap}), LEVELS)
        return tuple(map(str, found))

    assert said(0.4) == ()
    (text,) = said(0.6)
    assert text.startswith(
        "CPU counters disagree: tasks, idle time and steal are 0.60 core-seconds (3.0%) more than "
        "the host had"
    )
