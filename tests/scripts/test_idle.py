"""What the starter does while nothing happens: it shares the host with what is measured."""

from __future__ import annotations

import http.server
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.starter import api
from scripts.starter.liveness import CHECK_SECONDS, RETRY_SECONDS, Health, Liveness
from scripts.starter.processes import IDLE_SECONDS, Service, Supervisor
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal
from tests.scripts.waiting import eventually

CHECKS = 20
MOST_CPU_PER_CHECK_S = 0.01
"""A client with the certificates of all authorities took 0.03 s."""


@pytest.fixture
def stop() -> Iterator[Stop]:
    """A stop that handles this process's signals, as in the starter."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in numbers}
    made = Stop()
    made.install()
    yield made
    signal.set_wakeup_fd(-1)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def supervisor(stop: Stop, tmp_path: Path) -> Iterator[Supervisor]:
    made = Supervisor(tmp_path, Terminal(), stop, back_off=(0.2,))
    yield made
    made.stop_all()


def sleeping(ready: Callable[[], bool] = lambda: True) -> Service:
    return Service("sleeping", ("sleep", "300"), {"PATH": os.environ["PATH"]}, ready)


def woken_after(supervisor: Supervisor) -> float:
    """The seconds of one wait, in which no stop was requested."""
    began = time.monotonic()
    assert not supervisor.wait()
    return time.monotonic() - began


def test_a_wait_ends_when_a_child_ends_and_when_its_restart_is_due(supervisor: Supervisor) -> None:
    first = supervisor.start(sleeping())
    supervisor.watch()
    timer = threading.Timer(0.1, lambda: os.kill(first.pid, signal.SIGKILL))
    timer.start()
    for _ in range(3):  # a wait may end for no reason, as long as it does not poll
        assert woken_after(supervisor) < IDLE_SECONDS / 2
        if first.exit_code is not None:
            break
    assert first.exit_code == -signal.SIGKILL
    supervisor.watch()
    spawned: list[int] = []
    supervisor.on_spawn = lambda _name, pid: spawned.append(pid)
    for _ in range(3):
        assert woken_after(supervisor) < IDLE_SECONDS / 2
        supervisor.watch()
        if spawned:
            break
    assert spawned


def test_a_wait_ends_when_a_stop_is_requested(supervisor: Supervisor, stop: Stop) -> None:
    supervisor.start(sleeping())
    began = time.monotonic()
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGTERM))
    timer.start()
    while not supervisor.wait():
        assert time.monotonic() - began < IDLE_SECONDS / 2
    assert stop.requested and time.monotonic() - began < IDLE_SECONDS / 2


def test_a_wait_ends_when_another_thread_gets_the_signal(supervisor: Supervisor, stop: Stop) -> None:
    """As when it comes just before the system call: the call is not interrupted."""
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGTERM))
    timer.start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        began = time.monotonic()
        assert supervisor.wait()
        assert time.monotonic() - began < IDLE_SECONDS / 2
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    assert stop.requested


def test_nothing_wakes_a_supervisor_whose_services_run(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    supervisor.start(sleeping())
    monkeypatch.setattr(supervisor.stop, "wait", lambda seconds: bool(waited.append(seconds)))
    supervisor.wait()
    assert waited == [IDLE_SECONDS] and IDLE_SECONDS >= 5


def test_a_wait_ends_when_a_service_is_silent_for_too_long(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liveness.__init__, "__defaults__", (0.05,))
    process = supervisor.start(replace(sleeping(), health=Health(lambda: False, silence_limit=0.5)))
    began = time.monotonic()
    while process.exit_code is None:
        supervisor.watch()
        supervisor.wait()
        assert time.monotonic() - began < IDLE_SECONDS / 2
    assert process.exit_code == -signal.SIGKILL


def test_a_service_that_answers_is_checked_seldom_and_one_that_does_not_soon_again() -> None:
    answers = threading.Event()
    answers.set()
    liveness = Liveness(Health(answers.is_set), lambda: None)
    assert liveness.pause_s == CHECK_SECONDS > RETRY_SECONDS
    hasty = Liveness(Health(lambda: False), lambda: None, 0.01)
    hasty.start()
    assert eventually(lambda: hasty.failures > 2)
    hasty.stop()
    assert hasty.pause_s == 0.01
    liveness.failures = 1
    assert liveness.pause_s == RETRY_SECONDS


class Healthy(http.server.BaseHTTPRequestHandler):
    """Answers /healthz with 200, everything else with 503."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_check_of_the_api_costs_little(url: str) -> None:
    assert api.answers(url) and not api.answers(f"{url}/prefix")
    before = time.thread_time()
    assert all(api.answers(url) for _ in range(CHECKS))
    assert (time.thread_time() - before) / CHECKS < MOST_CPU_PER_CHECK_S


def test_a_server_that_is_away_does_not_answer() -> None:
    assert not api.answers("http://127.0.0.1:9")
