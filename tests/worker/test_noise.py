"""Noise readings: parsers on captured text, and real disturbances."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.services import PostgresServer
from worker.host.reaper import remove_cgroup
from worker.sample.cgroup import ClientGroup, find_controller, find_hierarchy
from worker.sample.counters import parse_conntrack, parse_time_wait
from worker.sample.namespaces import device_facts, inside, link_facts
from worker.sample.noise import NoiseMeter, NoiseSources, allowed_of, parse_cpus, parse_load, parse_pressure
from worker.sample.postgres import PostgresPoint, PostgresStats
from worker.sample.roles import RoleMeters

GROUP = "plmtest-noise"


def test_lists_of_cpus() -> None:
    assert parse_cpus("0-2,5") == {0, 1, 2, 5}
    assert parse_cpus("3\n") == {3}
    assert parse_cpus("") == frozenset()
    assert allowed_of(os.getpid()) == os.sched_getaffinity(0)


def test_load_and_pressure() -> None:
    assert parse_load("0.46 1.02 1.78 1/104 18509") == 0.46
    some = "some avg10=12.50 avg60=3.34 avg300=12.05 total=3858071509\nfull avg10=0.00 avg60=0.00"
    assert parse_pressure(some) == pytest.approx(0.125)
    assert (parse_load(None), parse_pressure(None), parse_pressure("")) == (None, None, None)


def test_time_wait_and_conntrack() -> None:
    sockstat = "sockets: used 93\nTCP: inuse 6 orphan 0 tw 1186 alloc 9 mem 2\nUDP: inuse 1 mem 0\n"
    assert parse_time_wait(sockstat) == 1186
    assert parse_time_wait("") is None
    stat = (
        "entries  clashres found new invalid ignore delete chainlength insert insert_failed drop early_drop\n"
        "0000000a 00000000 00000000 00 00 00 00 00 00 00000001 00000010 00000002\n"
        "0000000a 00000000 00000000 00 00 00 00 00 00 00000000 00000003 00000000\n"
    )
    assert parse_conntrack(stat) == (10, 1 + 16 + 2 + 3)
    assert parse_conntrack("") == (None, None)


def _meter(**sources: object) -> NoiseMeter:
    own = os.getpid()
    given = {"client_pid": lambda: own, "server_pid": own, "engine_pid": own, **sources}
    return NoiseMeter(NoiseSources(**given), find_hierarchy())  # type: ignore[arg-type]  # kinds are mixed


def test_an_overflow_of_the_accept_queue_is_counted() -> None:
    meter = _meter()
    meter.before()
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        clients = [socket.socket() for _ in range(4)]
        for client in clients:
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        readings = meter.after(0.5)
        for client in clients:
            client.close()
    assert readings.listen_overflows is not None
    assert readings.listen_overflows > 0
    assert readings.client_thread == 0.5
    assert readings.cpus == os.cpu_count()
    assert readings.ports is not None
    assert readings.allowed["client"] == os.sched_getaffinity(0)


def test_a_namespace_stays_readable_after_its_client_has_ended() -> None:
    client = subprocess.Popen(["sleep", "60"])
    meter = _meter(client_pid=lambda: client.pid)
    meter.before()
    client.kill()
    client.wait()
    readings = meter.after()
    assert readings.time_wait is not None
    assert readings.tcp_timeouts is not None


def test_unreadable_values_are_none() -> None:
    gone = 2**22 + 1
    meter = _meter(
        client_pid=lambda: None, server_pid=gone, engine_pid=gone, groups={"server": "/plmtest-no"}
    )
    meter.before()
    readings = meter.after()
    assert (readings.time_wait, readings.ports, readings.listen_drops, readings.conntrack) == (None,) * 4
    assert (readings.held, readings.allowed, readings.links) == ({}, {}, {})
    assert (readings.background, readings.blocks_read, readings.client_thread) == (None,) * 3
    with pytest.raises(RuntimeError, match="before"):
        _meter().after()


@pytest.fixture
def parent() -> Iterator[str]:
    if os.geteuid() != 0:
        pytest.skip("control groups can only be made by root")
    yield f"/{GROUP}"
    remove_cgroup(GROUP)


def test_throttling_by_a_quota_is_counted(parent: str) -> None:
    quota = find_controller("cpu")
    if quota is None:
        pytest.skip("this host mounts no cpu controller")
    place = quota.folder(parent)
    place.mkdir(exist_ok=True)
    if quota.version == 1:
        (place / "cpu.cfs_quota_us").write_text("10000")
    elif (place / "cpu.max").exists():
        (place / "cpu.max").write_text("10000 100000")
    else:
        pytest.skip("the cpu controller is not handed down to new groups here")
    meter = _meter(groups={"server": parent})
    meter.before()
    burn = "import time\nend = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass"
    enter = f"echo $$ > {place}/cgroup.procs && exec {sys.executable} -c '{burn}'"
    subprocess.run(["sh", "-c", enter], check=True, timeout=60)
    held = meter.after().held["server"]
    assert held.throttled > 0
    assert held.periods >= held.throttled
    assert held.seconds > 0.1


def test_foreign_load_before_the_window_is_background(parent: str) -> None:
    hierarchy = find_hierarchy()
    group = ClientGroup(hierarchy, parent)
    meters = RoleMeters(hierarchy, group.meter, group.meter, ())
    own = os.getpid()
    meter = NoiseMeter(NoiseSources(lambda: own, own, own), hierarchy, meters)
    meter.begin()
    burn = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    subprocess.run([sys.executable, "-c", burn], check=True, timeout=60)
    meter.before()
    seen = meter.after().background
    meters.close()
    group.close()
    assert seen is not None
    assert seen.core_seconds >= 0.3
    assert seen.seconds >= 0.3


def test_devices_of_another_namespace_are_read_from_a_thread() -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("another network namespace needs root and unshare")
    before = Path("/proc/thread-self/ns/net").readlink()
    script = "ip link set lo mtu 40000 up && echo ready && exec sleep 60"
    other = subprocess.Popen(["unshare", "-n", "sh", "-c", script], stdout=subprocess.PIPE)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        facts = inside(other.pid, device_facts)
        assert facts is not None
        assert facts["lo"]["mtu"] == "40000"
        assert facts["lo"]["tso"] in ("on", "off")
        assert link_facts(other.pid, other.pid, None)["mtu loopback"] == "40000"
        assert link_facts(other.pid, os.getpid(), None).get("mtu server link") is None, "it has no link"
    finally:
        other.kill()
        other.wait()
    assert Path("/proc/thread-self/ns/net").readlink() == before
    assert inside(other.pid, device_facts) is None


def test_statistics_of_postgresql_show_checkpoints_and_leave_no_session(postgres: PostgresServer) -> None:
    with postgres.connect("postgres") as direct:
        direct.execute("drop database if exists noise")
        direct.execute("create database noise")
        server_pid = int((postgres.home / "data" / "postmaster.pid").read_text().split()[0])
        # As in a container: the socket is reached through the root of the server's process.
        stats = PostgresStats(Path(f"/proc/{server_pid}/root{postgres.home}"), 5432, postgres.user)
        stats.use("noise")
        first = stats.read()
        assert first is not None
        direct.execute("checkpoint")
        second = _after_checkpoint(stats, first)
        assert second is not None
        assert second.checkpoints > first.checkpoints
        assert second.blocks_read <= _number(
            direct, "select blks_read from pg_stat_database where datname='noise'"
        )
        stats.close()
        assert _none_left(direct), "a server that is told to stop would wait for our session"
        direct.execute("drop database noise")
    assert PostgresStats(Path("/nonexistent"), 5432).read() is None


def _after_checkpoint(stats: PostgresStats, first: PostgresPoint) -> PostgresPoint | None:
    deadline = time.monotonic() + 60
    while (point := stats.read()) is not None and point.checkpoints == first.checkpoints:
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)  # the checkpointer reports on its own schedule; bounded
    return point


def _none_left(direct: psycopg.Connection[Any]) -> bool:
    deadline = time.monotonic() + 60
    while _number(direct, "select count(*) from pg_stat_activity where datname = 'noise'"):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)  # the backend ends on its own; bounded
    return True


def _number(direct: psycopg.Connection[Any], question: str) -> int:
    row = direct.execute(question.encode()).fetchone()
    assert row is not None
    return int(row[0])
