"""Order, readiness, crashes and the clean stop, with small real child processes."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen

import httpx2
import pytest

from scripts.starter.leftovers import end, note, started_at
from scripts.starter.liveness import Health, Liveness
from scripts.starter.processes import Service, Supervisor, session_members
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal
from tests.scripts.shell import ROOT
from tests.scripts.waiting import eventually

FAKE = """
trap 'echo "{name} stops" >>"{home}/order"; exit 0' TERM
echo "{name} starts" >>"{home}/order"
: >"{home}/{name}.ready"
while :; do sleep 0.02; done
"""


class Bench:
    """A supervisor of shell fakes that write down their order."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.stop = Stop()
        self.supervisor = Supervisor(home, Terminal(), self.stop, back_off=(0.1, 0.2))

    def fake(self, name: str, script: str = FAKE, *, ready: Callable[[], bool] | None = None) -> Service:
        """A service that is ready when its file is there."""
        text = script.format(name=name, home=self.home)
        return Service(
            name=name,
            argv=("sh", "-c", text),
            environment={"PATH": os.environ["PATH"]},
            ready=ready or (self.home / f"{name}.ready").exists,
            ready_limit=5.0,
            stop_limit=1.0,
        )

    def order(self) -> list[str]:
        """What the fakes wrote."""
        return (self.home / "order").read_text().splitlines()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.supervisor.stop_all()


def test_each_starts_after_the_one_before_is_ready_and_all_stop_in_reverse(bench: Bench) -> None:
    for name in ("first", "second", "third"):
        bench.supervisor.start(bench.fake(name))
    bench.supervisor.stop_all()
    assert bench.order() == [
        *("first starts", "second starts", "third starts"),
        *("third stops", "second stops", "first stops"),
    ]


def test_one_that_is_never_ready_is_refused_within_its_limit(bench: Bench) -> None:
    service = bench.fake("slow", ready=lambda: False)
    object.__setattr__(service, "ready_limit", 0.3)
    with pytest.raises(Refusal, match=r"slow was not ready within 0 s; see .*slow\.log, .*FACTOR to 2$"):
        bench.supervisor.start(service)


def test_a_slow_host_gets_more_time(bench: Bench) -> None:
    bench.supervisor.time_factor = 20.0
    asked = iter(range(1000))
    service = bench.fake("slow", ready=lambda: next(asked) > 8)  # asked every tenth of a second
    object.__setattr__(service, "ready_limit", 3.0)
    bench.supervisor.start(service)
    bench.supervisor.time_factor = 1.5
    service = bench.fake("slower", ready=lambda: False)
    object.__setattr__(service, "ready_limit", 1.0)
    with pytest.raises(Refusal, match=r"slower was not ready within 2 s; .*_TIME_FACTOR to 3$"):
        bench.supervisor.start(service)


def test_a_slow_host_gets_more_time_to_stop_and_to_answer(bench: Bench) -> None:
    bench.supervisor.time_factor = 3.0
    health = Health(lambda: True, silence_limit=15.0)
    running = bench.supervisor.start(replace(bench.fake("slow"), health=health)).service
    assert (running.stop_limit, running.ready_limit) == (3.0, 15.0)
    assert running.health is not None and running.health.silence_limit == 45.0


def test_one_that_ends_at_once_is_refused(bench: Bench) -> None:
    with pytest.raises(Refusal, match=r"broken ended at once \(exit code 3\)"):
        bench.supervisor.start(bench.fake("broken", "exit 3"))


def test_a_failed_start_still_stops_the_others(bench: Bench) -> None:
    bench.supervisor.start(bench.fake("first"))
    with pytest.raises(Refusal):
        bench.supervisor.start(bench.fake("broken", "exit 3"))
    bench.supervisor.stop_all()
    assert bench.order() == ["first starts", "first stops"]


def test_one_that_ignores_the_stop_is_killed_after_its_limit(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    script = 'trap "" TERM; : >"{home}/{name}.ready"; while :; do sleep 0.02; done'
    pid = bench.supervisor.start(bench.fake("deaf", script)).pid
    bench.supervisor.stop_all()
    assert started_at(pid) is None
    assert "killed after 1 s" in capfd.readouterr().out


def test_a_crashed_service_is_restarted_after_a_pause_and_reported(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    first = bench.supervisor.start(bench.fake("crashing"))
    os.kill(first.pid, signal.SIGKILL)

    def restarted() -> bool:
        bench.supervisor.watch()
        return len(bench.order()) == 2

    assert eventually(restarted)
    output = capfd.readouterr().out
    assert "ended (signal SIGKILL); restarting in 0.1 s" in output
    assert "restarted, pid" in output


def test_a_service_that_crashes_while_the_next_one_starts_is_restarted(bench: Bench) -> None:
    first = bench.supervisor.start(bench.fake("first"))
    os.kill(first.pid, signal.SIGKILL)
    # As the worker, which is ready once the API, started before it, lists its host.
    bench.supervisor.start(bench.fake("second", ready=lambda: bench.order().count("first starts") == 2))
    bench.supervisor.stop_all()
    assert bench.order()[-2:] == ["second stops", "first stops"]


def test_one_that_ends_while_it_starts_is_not_restarted(bench: Bench) -> None:
    bench.supervisor.start(bench.fake("first"))
    with pytest.raises(Refusal):
        bench.supervisor.start(bench.fake("broken", "echo {name} >>{home}/order; sleep 0.2; exit 3"))
    bench.supervisor.stop_all()
    assert bench.order() == ["first starts", "broken", "first stops"]


SERVER = """
import http.server, pathlib, sys
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
"""


def serving(bench: Bench, silence_limit: float) -> Service:
    """A small HTTP server, restarted after so many seconds without an answer."""
    port = bench.home / "port"

    def answers() -> bool:
        try:
            return httpx2.head(
                f"http://127.0.0.1:{port.read_text()}/", timeout=0.3, trust_env=False
            ).is_success
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            return False

    return Service(
        name="server",
        argv=(sys.executable, "-c", SERVER, str(port)),
        environment={"PATH": os.environ["PATH"]},
        ready=answers,
        ready_limit=20.0,
        health=Health(answers, silence_limit),
        cwd=bench.home,
    )


def test_one_that_no_longer_answers_is_killed_and_restarted(
    bench: Bench, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liveness.__init__, "__defaults__", (0.05,))
    service = serving(bench, silence_limit=1.0)
    first = bench.supervisor.start(service)
    os.kill(first.pid, signal.SIGSTOP)
    try:

        def restarted() -> bool:
            bench.supervisor.watch()
            return first.exit_code is not None and service.ready()

        assert eventually(restarted, limit=60)
    finally:
        if first.exit_code is None:
            os.kill(first.pid, signal.SIGCONT)
    assert first.exit_code == -signal.SIGKILL
    output = capfd.readouterr().out
    assert re.search(rf"has not answered for \d+ s; killing pid {first.pid}\n", output)
    assert "restarted, pid" in output


def test_silence_within_its_limit_is_waited_out(
    bench: Bench, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liveness.__init__, "__defaults__", (0.05,))
    checks = []
    health = Health(lambda: bool(checks.append(1)), silence_limit=3600.0)
    first = bench.supervisor.start(replace(bench.fake("quiet"), health=health))
    assert eventually(lambda: len(checks) > 3)
    bench.supervisor.watch()
    assert first.exit_code is None
    assert "killing" not in capfd.readouterr().out


def test_the_pause_grows_while_it_keeps_crashing(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    script = 'echo >>"{home}/tries"; : >"{home}/{name}.ready"; sleep 0.3; exit 1'
    bench.supervisor.start(bench.fake("failing", script))

    def tried(times: int) -> Callable[[], bool]:
        def reading() -> bool:
            bench.supervisor.watch()
            return (bench.home / "tries").read_text().count("\n") >= times

        return reading

    assert eventually(tried(4))
    output = capfd.readouterr().out
    assert output.index("restarting in 0.1 s") < output.index("restarting in 0.2 s")


def test_a_wish_to_stop_ends_the_waiting(bench: Bench) -> None:
    bench.stop.request()
    with pytest.raises(Stopped):
        bench.supervisor.start(bench.fake("first", ready=lambda: False))


def test_stopping_twice_is_stopping_once(bench: Bench) -> None:
    bench.supervisor.start(bench.fake("first"))
    bench.supervisor.stop_all()
    bench.supervisor.stop_all()
    assert bench.order() == ["first starts", "first stops"]


def test_what_a_child_leaves_in_its_session_is_ended(bench: Bench) -> None:
    script = 'sleep 300 & : >"{home}/{name}.ready"; wait'
    pid = bench.supervisor.start(bench.fake("parent", script)).pid
    assert len(session_members(pid)) == 2
    bench.supervisor.stop_all()
    assert session_members(pid) == []


def test_every_line_is_logged_and_the_important_ones_are_shown(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    script = """
        echo "INFO plain words"
        echo "INFO plimsoll.progress: making the image"
        echo "ERROR it broke"
        echo '{{"time": "t", "level": "info", "logger": "plimsoll.progress", "event": "starting engines"}}'
        echo '{{"time": "t", "level": "warning", "logger": "worker.x", "event": "odd", "run_id": "r"}}'
        echo '{{"time": "t", "level": "info", "logger": "worker.x", "event": "usual"}}'
        : >"{home}/{name}.ready"; sleep 60
    """
    bench.supervisor.start(bench.fake("talker", script))
    bench.supervisor.stop_all()
    log = (bench.home / "talker.log").read_text().splitlines()
    assert [line.split(" ", 1)[1] for line in log[:3]] == [
        "INFO plain words",
        "INFO plimsoll.progress: making the image",
        "ERROR it broke",
    ]
    assert [json.loads(line)["event"] for line in log[3:]] == ["starting engines", "odd", "usual"]
    output = capfd.readouterr().out
    assert "plain words" not in output and "usual" not in output
    assert "talker     starting engines" in output
    assert "talker     | WARNING worker.x: odd" in output
    assert "talker     making the image" in output
    assert "talker     | ERROR it broke" in output


STARTER = """
import sys
from pathlib import Path
from scripts.starter.processes import Service, Supervisor
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal

home = Path(sys.argv[1])
stop = Stop()
stop.install()
supervisor = Supervisor(home, Terminal(), stop)
script = 'trap "sleep 0.5; exit 0" TERM; echo $$ >' + str(home / "pid") + '; while :; do sleep 0.02; done'
supervisor.start(Service("child", ("sh", "-c", script), dict(PATH="/usr/bin:/bin"), (home / "pid").exists))
while not stop.wait(0.5):
    supervisor.watch()
supervisor.stop_all()
print("clean", stop.repeats, flush=True)
"""


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Popen[str]]:
    """A process that supervises one child, whose pid is in the file `pid`."""
    argv = [sys.executable, "-c", textwrap.dedent(STARTER), str(tmp_path)]
    child = Popen(argv, cwd=ROOT, stdout=PIPE, text=True, start_new_session=True)
    pid = tmp_path / "pid"
    assert eventually(lambda: pid.exists() and bool(pid.read_text().strip()))
    assert child.stdout is not None and "ready" in child.stdout.readline()
    yield child
    child.kill()
    child.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_more_signals_do_not_break_the_clean_stop(
    number: signal.Signals, starter: Popen[str], tmp_path: Path
) -> None:
    starter.send_signal(number)
    assert starter.stdout is not None
    for _ in range(3):
        starter.send_signal(signal.SIGINT)
    out, _ = starter.communicate(timeout=10)
    assert "clean" in out
    assert started_at(int((tmp_path / "pid").read_text())) is None


def test_children_of_a_killed_starter_end(starter: Popen[str], tmp_path: Path) -> None:
    pid = int((tmp_path / "pid").read_text())
    assert started_at(pid) is not None
    starter.kill()
    assert eventually(lambda: started_at(pid) is None)


def test_what_outlived_a_start_is_ended_by_pid_and_start_time(tmp_path: Path) -> None:
    child = Popen(["sleep", "300"])
    note(tmp_path, "server", child.pid)
    assert end(tmp_path, "server", signal.SIGTERM, 5.0, Stop())
    assert child.wait(5) == -signal.SIGTERM
    assert not end(tmp_path, "server", signal.SIGTERM, 5.0, Stop())


def test_a_pid_that_is_another_process_now_is_left_alone(tmp_path: Path) -> None:
    child = Popen(["sleep", "300"])
    (tmp_path / "server.pid").write_text(f"{child.pid} 1\n")
    assert not end(tmp_path, "server", signal.SIGTERM, 5.0, Stop())
    assert child.poll() is None
    child.kill()
    child.wait()
