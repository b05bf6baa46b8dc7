"""A worker's container: which start Docker may repeat, which one only waits, and what leaving ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from backend.worker_container import NAME
from backend.worker_protocol import EXIT_REJECTED
from scripts.compose import joined
from scripts.joining import join
from scripts.joining.certificates import Trust
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.joining.join import Options, Unanswered
from scripts.joining.server import NoAnswer
from scripts.starter import layout, lock
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal
from tests.scripts.shell import ROOT
from tests.scripts.waiting import eventually

FAR = Enrolled("https://bench.example.org:8420", "hst_1", "far-1", "AB:CD")
WAITS = f"this container only waits now: docker rm --force {NAME}"


@dataclass
class Container:
    """The container's process in this one; `ended` is how its worker ends."""

    var: Path
    capsys: pytest.CaptureFixture[str]
    ended: Callable[[], int] = lambda: 0
    stop: Stop = field(default_factory=Stop)
    modules: list[str] = field(default_factory=list)
    printed: str = ""

    def __call__(self, url: str = "") -> int:
        options = Options(root=ROOT, var=self.var, url=url, fingerprint=FAR.fingerprint)
        return joined.joined(options, Terminal(), self.stop)

    def child(self, module: str, *_: object) -> int:
        self.modules.append(module)
        return self.ended() if module == "scripts.joining" else 0

    def output(self) -> str:
        self.printed += "".join(self.capsys.readouterr())
        return self.printed

    def waits(self, url: str = "") -> str:
        """What it has printed when it waits; it ends well when it is stopped."""
        codes: list[int] = []
        running = threading.Thread(target=lambda: codes.append(self(url)))
        running.start()
        eventually(lambda: WAITS in self.output())
        assert codes == []
        self.stop.request()
        running.join()
        assert codes == [0]
        return self.output()


@pytest.fixture
def container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Container:
    """The container of a host that has joined, without a worker."""
    (tmp_path / "run").mkdir()
    monkeypatch.setattr(layout, "RUNTIME_PARENT", tmp_path / "run")
    monkeypatch.setattr(joined, "check_host", lambda _: None)
    found = Container(tmp_path / "var", capsys)
    monkeypatch.setattr(joined, "child", found.child)
    EnrolmentFiles(found.var).write(FAR, "plh_token")
    return found


def test_a_start_that_no_repetition_mends_says_why_once_and_waits(container: Container) -> None:
    printed = container.waits("https://other.example.org/join#ple_secret")
    assert printed.count(f"this host has joined {FAR.server} already") == 1
    assert container.modules == []


def test_a_host_that_cannot_run_a_worker_is_not_enrolled(
    container: Container, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checks = tmp_path / "checks"
    checks.write_text("#!/bin/sh\necho 'plimsoll: this kernel has no nat table' >&2\nexit 1\n")
    checks.chmod(0o755)
    monkeypatch.undo()
    monkeypatch.setattr(joined, "CHECKS", checks)
    container.var = tmp_path / "new"
    assert "this kernel has no nat table" in container.waits("https://bench.example.org/join#ple_secret")
    assert not (container.var / "enrolment").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="namespaces and mounts are root's")
def test_the_checks_of_a_host_leave_nothing(tmp_path: Path) -> None:
    joined.check_host(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_docker_repeats_a_start_whose_server_does_not_answer(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unanswered(*_: object) -> Enrolled:
        raise Unanswered("https://bench.example.org does not answer")

    monkeypatch.setattr(join, "enrol", unanswered)
    assert container() == 1
    assert "does not answer" in container.output()


def test_a_host_that_has_joined_starts_while_its_server_is_away(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same options, as Docker starts it again."""

    def away(*_: object) -> None:
        raise NoAnswer("https://bench.example.org does not answer")

    monkeypatch.setattr(Trust, "verified", away)
    container.ended = lambda: 1
    assert container(f"{FAR.server}/join#ple_secret") == 1
    assert container.modules == ["worker.images.room", "scripts.joining"]
    options = Options(root=ROOT, var=container.var, fingerprint="EF:01")
    with pytest.raises(Unanswered):
        join.enrol(options, Terminal())


def test_a_worker_that_the_server_rejects_is_not_started_again(container: Container) -> None:
    container.ended = lambda: EXIT_REJECTED
    assert "the server accepts this worker no longer" in container.waits()


def test_a_worker_that_ended_without_a_request_is_started_again(container: Container) -> None:
    (container.var / joined.LOCK).touch()
    assert container() == 1


def test_after_leaving_it_waits_to_be_removed(container: Container) -> None:
    """`plimsoll leave` holds its lock from before the worker's end to the end of the enrolment."""
    removed = threading.Event()

    def leaving() -> int:
        descriptor = lock.hold(container.var / joined.LOCK, None)

        def end() -> None:
            (container.var / joined.LOCK).unlink()
            os.close(descriptor)
            EnrolmentFiles(container.var).token_file.unlink()
            for file in (container.var / "enrolment").iterdir():
                file.unlink()
            (container.var / "enrolment").rmdir()
            removed.set()

        threading.Timer(0.1, end).start()
        return 0

    container.ended = leaving
    assert "this host has left its server" in container.waits()
    assert removed.is_set() and not (container.var / joined.LOCK).exists()


def test_leaving_needs_a_host_that_has_joined(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no worker has joined"):
        joined.left(ROOT, tmp_path, False, Terminal(), Stop())


def test_a_stop_ends_the_worker_before_the_container(tmp_path: Path) -> None:
    stop, note = Stop(), tmp_path / "ended"
    (tmp_path / "slow.py").write_text(
        "import pathlib, signal, sys\n"
        f"signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path({str(note)!r}).touch(), sys.exit()))\n"
        f"pathlib.Path({str(tmp_path / 'started')!r}).touch()\n"
        "signal.pause()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    threading.Thread(target=lambda: eventually((tmp_path / "started").exists) and stop.request()).start()
    with pytest.raises(Stopped):
        joined.child("slow", environment, stop)
    assert note.exists()


def test_what_is_given_twice_is_the_same_host(container: Container) -> None:
    files = EnrolmentFiles(container.var)
    options = Options(root=ROOT, var=container.var, name="far-2")
    with pytest.raises(Refusal, match="this host has joined as far-1"):
        join.enrol(options, Terminal())
    assert join.enrol(replace(options, name="far-1"), Terminal()) == files.read()
