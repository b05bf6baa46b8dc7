"""Processes and threads over a window, on real ones that compute, switch and end in it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from backend.core.sample.record import Role
from worker.sample.process_delta import ENTRIES, ProcessReading, busiest, process_cpu, switches
from worker.sample.processes import ProcessMeter
from worker.sample.tasks import Task, switches_in, tasks_of, title
from worker.sample.taskstats import TaskstatsListener, TaskstatsUnavailable

SLEEPS = 40
WORK = f"""
import os, threading, time
input()
def doze():
    for _ in range({SLEEPS}): time.sleep(0.001)
threads = [threading.Thread(target=doze) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
if os.fork() == 0:
    doze()
    end = time.thread_time() + 0.1
    while time.thread_time() < end: pass
    os._exit(0)
os.wait()
"""


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def listener() -> Iterator[TaskstatsListener]:
    try:
        heard = TaskstatsListener()
    except TaskstatsUnavailable as error:
        pytest.skip(f"taskstats needs root in the host's own namespaces: {error}")
    yield heard
    heard.close()


def test_the_kernel_reports_each_ended_thread(
    listener: TaskstatsListener, child: subprocess.Popen[bytes]
) -> None:
    child.communicate(b"\n")
    ends = [end for end in listener.drain() if child.pid in (end.process, end.parent)]
    assert len(ends) == 4, "the process, its two threads, and its own child"
    own = [end for end in ends if end.process == child.pid]
    forked = next(end for end in ends if end.parent == child.pid)
    assert len(own) == 3
    assert forked.cpu_ns > 100_000_000
    assert all(end.switches >= SLEEPS for end in ends if end.thread != child.pid)
    assert listener.drain() == []
    assert not listener.lost


def test_a_process_that_ended_in_the_window_has_the_role_of_its_parent(
    listener: TaskstatsListener, child: subprocess.Popen[bytes]
) -> None:
    meter = ProcessMeter({"server": lambda: [child.pid]})
    before = meter.read()
    child.communicate(b"\n")
    after = meter.read()
    meter.close()
    assert meter.complete
    assert child.pid not in after.alive
    assert switches(before, after).keys() == {"server"}
    assert switches(before, after)["server"] >= 3 * SLEEPS
    entries = process_cpu(before, after)
    assert len(entries) == 2, "one a process; threads of this program are not told apart"
    assert sum(entry.seconds for entry in entries) > 0.1


def test_without_taskstats_the_last_reading_counts(child: subprocess.Popen[bytes]) -> None:
    loop = "import time\ninput()\nend = time.monotonic() + 120\nwhile time.monotonic() < end: pass"
    busy = subprocess.Popen([sys.executable, "-c", loop], stdin=subprocess.PIPE)
    meter = ProcessMeter({"client": lambda: [busy.pid]}, use_taskstats=False)
    try:
        before = meter.read()
        assert busy.stdin is not None
        busy.stdin.write(b"\n")
        busy.stdin.flush()
        deadline = time.monotonic() + 60
        while next(tasks_of("client", busy.pid)).cpu_ns < 200_000_000 and time.monotonic() < deadline:
            time.sleep(0.02)  # until it has worked; bounded
        meter.tick()
    finally:
        busy.kill()
        busy.wait()
    after = meter.read()
    assert not meter.complete
    assert after.alive == {}
    assert process_cpu(before, after)[0].seconds >= 0.1


def _task(
    role: Role, process: int, thread: int, name: str, seconds: float, lived_s: float | None = None
) -> Task:
    return Task(role, process, thread, name, int(seconds * 1e9), int(seconds * 100), lived_s)


def _window(
    *tasks: Task, ended: tuple[Task, ...] = (), before: tuple[Task, ...] = ()
) -> tuple[ProcessReading, ...]:
    start = ProcessReading(100.0, {task.thread: task for task in before})
    return start, ProcessReading(110.0, {task.thread: task for task in tasks}, ended)


def test_threads_are_listed_where_each_has_its_share() -> None:
    before, after = _window(
        _task("proxy", 10, 10, "haproxy", 3.0),
        _task("proxy", 10, 11, "haproxy", 1.0),
        _task("proxy", 20, 20, "docker-proxy", 0.5),
        _task("proxy", 20, 21, "docker-proxy", 0.25),
        _task("proxy", 30, 30, "nginx worker", 0.0),
        _task("server", 40, 40, "postgres checkpointer", 0.0),
        before=(_task("proxy", 10, 10, "haproxy", 1.0),),
    )
    seen = [(entry.name, entry.pid, entry.thread, entry.seconds) for entry in process_cpu(before, after)]
    assert seen == [
        ("haproxy", 10, 10, 2.0),
        ("haproxy", 10, 11, 1.0),
        ("docker-proxy", 20, None, 0.75),
        ("nginx worker", 30, None, 0.0),
    ], "an idle proxy is shown, an idle process of the server is not"


def test_a_record_stays_small_and_keeps_the_sums() -> None:
    many = tuple(_task("server", pid, pid, "postgres backend", 0.01, 0.5) for pid in range(1000, 1500))
    client = _task("client", 10, 10, "pgbench", 4.0)
    before, after = _window(client, ended=many)
    entries = process_cpu(before, after)
    assert len(entries) <= ENTRIES
    assert entries[0].name == "pgbench"
    assert (entries[-1].name, entries[-1].pid, entries[-1].role) == ("others", 0, "server")
    assert sum(entry.seconds for entry in entries) == pytest.approx(9.0)
    assert sum(entry.context_switches or 0 for entry in entries) == sum(switches(before, after).values())


def test_the_busiest_thread_of_the_client() -> None:
    before, after = _window(
        _task("client", 10, 10, "wrk", 0.1),
        _task("client", 10, 11, "wrk", 7.6),
        _task("server", 20, 20, "pong", 10.0),
        ended=(_task("client", 30, 30, "sh", 0.4, 0.4),),
    )
    assert busiest(before, after) == pytest.approx(0.76)
    assert busiest(before, after, seconds=8.0) == pytest.approx(0.95)
    assert busiest(before, after, "proxy") is None


def test_a_reused_pid_counts_from_its_start() -> None:
    before, after = _window(
        _task("client", 50, 50, "pgbench", 2.0), before=(_task("client", 50, 50, "sh", 9.0),)
    )
    assert process_cpu(before, after)[0].seconds == 2.0


@pytest.mark.parametrize(
    ("comm", "cmdline", "name"),
    [
        ("nginx", "nginx: worker process", "nginx worker"),
        ("nginx", "nginx: master process nginx -g daemon off;", "nginx master"),
        ("postgres", "postgres: bench pgb5 198.18.64.1(4711) SELECT", "postgres backend"),
        ("postgres", "postgres: autovacuum worker pgb5", "postgres autovacuum worker"),
        ("postgres", "postgres\0-c\0listen_addresses=*\0", "postgres"),
        ("haproxy", "haproxy\0-f\0/tmp/haproxy.cfg\0", "haproxy"),
    ],
)
def test_processes_have_readable_names(comm: str, cmdline: str, name: str) -> None:
    assert title(comm, cmdline) == name


def test_both_kinds_of_context_switches_are_read() -> None:
    status = b"Name:\tpgbench\nThreads:\t1\nvoluntary_ctxt_switches:\t120\nnonvoluntary_ctxt_switches:\t3\n"
    assert switches_in(status) == 123
    (own,) = [task for task in tasks_of("client", os.getpid()) if task.thread == os.getpid()]
    assert own.switches > 0
    assert own.cpu_ns > 0
    assert list(tasks_of("client", 2**22 + 1)) == []
