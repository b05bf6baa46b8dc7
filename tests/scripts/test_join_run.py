"""Running a joined host's worker: it becomes ready, is restarted, ends in order, or ends for good."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from backend.worker_protocol import EXIT_REJECTED
from scripts.joining import run, worker
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.joining.environment import of_worker, redis_url
from scripts.starter import layout, leftovers, processes
from scripts.starter.layout import Layout
from scripts.starter.processes import Service
from scripts.starter.reach import LOOPBACK
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal
from tests.scripts.shell import ROOT
from tests.scripts.waiting import eventually

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a worker's folders are root's")
FAR = Enrolled("https://bench.example.org:8420", "hst_1", "far-1")
POLLING = 'trap "exit 0" QUIT; touch "$1/worker.ready"; while :; do sleep 0.05; done'


@dataclass
class Run:
    """One run in this process, with a shell script in place of the worker."""

    var: Path
    stop: Stop
    manager: socket.socket
    reaped: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)

    def __call__(self) -> int:
        return run.run(ROOT, self.var, Terminal(), self.stop)

    def states(self) -> list[str]:
        """What systemd has received so far."""
        while True:
            try:
                self.received += self.manager.recv(1000, socket.MSG_DONTWAIT).decode().splitlines()
            except BlockingIOError:
                return self.received


@pytest.fixture
def joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A host that has joined."""
    runtimes = tmp_path / "run"
    runtimes.mkdir()
    monkeypatch.setattr(layout, "RUNTIME_PARENT", runtimes)
    monkeypatch.setattr(processes, "IDLE_SECONDS", 0.05)  # the end of a child wakes only scripts/join itself
    var = tmp_path / "var"
    EnrolmentFiles(var).write(FAR, "plh_token")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        found = Run(var, Stop(), manager)
        monkeypatch.setattr(worker, "reap", lambda *_: found.reaped.append("reaped"))
        yield found


def scripted(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Run this shell script in place of the worker; its first argument is the runtime folder."""
    real = worker.service

    def service(place: Layout, enrolled: Enrolled, files: EnrolmentFiles) -> Service:
        made = real(place, enrolled, files)
        fields = {**vars(made), "argv": ("sh", "-c", body, "sh", str(place.runtime)), "ready_limit": 20.0}
        return Service(**fields)

    monkeypatch.setattr(worker, "service", service)


def test_it_reports_what_it_does_and_stops_in_order(
    joined: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(monkeypatch, POLLING)
    place = layout.prepare(ROOT, joined.var, LOOPBACK)
    ready = threading.Thread(
        target=lambda: (
            eventually(lambda: f"STATUS=measures for {FAR.server}" in joined.states())
            and joined.stop.request()
        )
    )
    ready.start()
    assert joined() == 0
    ready.join()
    waiting = f"STATUS=starting, and waiting for {FAR.server} where it does not answer"
    assert joined.states() == ["READY=1", waiting, f"STATUS=measures for {FAR.server}", "STOPPING=1"]
    assert joined.reaped == ["reaped", "reaped"]
    assert not place.runtime.exists()
    out = capsys.readouterr().out
    assert out.index("far-1 measures for") < out.index("the worker is stopped")


def test_a_boot_does_not_wait_for_a_worker_whose_server_is_away(
    joined: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(monkeypatch, POLLING.replace('touch "$1/worker.ready"', ":"))
    threading.Thread(
        target=lambda: eventually(lambda: "READY=1" in joined.states()) and joined.stop.request()
    ).start()
    assert joined() == 0
    assert not [state for state in joined.states() if state.startswith("STATUS=measures")]
    assert "far-1 measures for" not in capsys.readouterr().out


@pytest.mark.parametrize("body", ["exit 3", 'touch "$1/worker.ready"; sleep 1; exit 3'])
def test_a_rejected_worker_is_not_restarted(
    joined: Run, body: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(monkeypatch, body)
    assert joined() == EXIT_REJECTED
    assert "worker ended and is not restarted" in capsys.readouterr().err
    assert joined.states()[-1] == "STOPPING=1"
    assert EnrolmentFiles(joined.var).read() == FAR  # and so is its spool


def test_a_worker_that_cannot_start_is_a_failure_that_systemd_repeats(
    joined: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(monkeypatch, "exit 1")
    assert joined() == 1
    assert "worker ended at once (exit code 1)" in capsys.readouterr().err
    assert joined.states()[-1] == "STOPPING=1"


def test_a_crashed_worker_is_restarted(joined: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = joined.var / "starts"
    crash = f'[ "$(wc -l <{counted})" -gt 1 ] || {{ touch "$1/worker.ready"; sleep 1; exit 9; }}'
    scripted(monkeypatch, f"echo x >>{counted}; {crash}; {POLLING}")
    threading.Thread(
        target=lambda: (
            eventually(lambda: counted.exists() and counted.read_text() == "x\nx\n", 20)
            and joined.stop.request()
        )
    ).start()
    assert joined() == 0


def test_a_second_run_of_the_same_folder_is_refused(joined: Run, capsys: pytest.CaptureFixture[str]) -> None:
    joined.var.joinpath("lock").touch()
    holder = os.open(joined.var / "lock", os.O_RDWR)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        assert joined() == 1
    finally:
        os.close(holder)
    assert "already runs from" in capsys.readouterr().err


def test_a_run_without_an_enrolment_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.run(ROOT, tmp_path / "var", Terminal(), Stop()) == 1
    assert "no worker has joined from" in capsys.readouterr().err


def test_the_worker_gets_its_server_and_no_database(joined: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", "postgresql+psycopg:///of-somebody-else")
    place, files = layout.prepare(ROOT, joined.var, LOOPBACK), EnrolmentFiles(joined.var)
    found = of_worker(place, FAR, files)
    assert found["PLIMSOLL_SERVER_URL"] == FAR.server and found["PLIMSOLL_HOST_NAME"] == "far-1"
    assert found["PLIMSOLL_HOST_TOKEN_FILE"] == str(files.token_file)
    assert not {"PLIMSOLL_DATABASE_URL", "PLIMSOLL_REDIS_URL", "PLIMSOLL_SERVER_CA_FILE"} & found.keys()
    assert "plh_token" not in str(found)
    service = worker.service(place, FAR, files)
    assert service.argv[1:] == ("-m", "worker.remote") and service.stop_signal == signal.SIGQUIT


def test_a_redis_that_does_not_answer_leaves_a_worker_that_polls(
    joined: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "REDIS_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    woken = replace(FAR, redis_url=f"rediss://host.htk_1@127.0.0.1:{port}/0")
    EnrolmentFiles(joined.var).write(woken, "plh_token")
    scripted(monkeypatch, 'test -z "$PLIMSOLL_REDIS_URL" && exit 3')
    assert joined() == EXIT_REJECTED
    assert "the server's Redis does not answer here: polling" in capsys.readouterr().out


def test_the_address_of_redis_has_the_token_and_the_certificate(joined: Run) -> None:
    files = EnrolmentFiles(joined.var)
    woken = Enrolled(FAR.server, "hst_1", "far-1", "AB" * 32, "rediss://host.htk_1@bench.example.org:6380/0")
    files.trust(woken, None, "PEM")
    found = redis_url(woken, files)
    assert found.startswith("rediss://host.htk_1:plh_token@bench.example.org:6380/0?ssl_cert_reqs=required")
    assert "redis-ca.pem" in found and "ssl_check_hostname=false" in found
    place = layout.prepare(ROOT, joined.var, LOOPBACK)
    assert "celery" in worker.service(place, woken, files).argv


def test_leaving_waits_for_a_worker_in_the_foreground_which_removes_its_folder(tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    body = "trap 'rm -r \"$1\"; exit 0' TERM; echo; while :; do sleep 0.05; done"
    child = subprocess.Popen(["sh", "-c", body, "sh", str(runtime)], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline()
    leftovers.note(runtime, run.RUNNER, child.pid)
    assert leftovers.end(runtime, run.RUNNER, signal.SIGTERM, 20.0, Stop())
    assert child.wait(10) == 0 and not runtime.exists()
