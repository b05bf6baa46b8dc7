"""The process of an enrolled host's worker: it starts without a database's settings, and ends in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from backend.worker_protocol import EXIT_REJECTED, READY_FILE
from tests.services import REDIS_ADMIN, ROOT, RedisServer, redis_url
from tests.worker.conftest import FakeTrial
from tests.worker.scripted_server import Reply, ScriptedServer, problem, scripted
from tests.worker.test_http_queue import HOST, SEEN
from worker.host.locks import NAME

Start = Callable[..., "subprocess.Popen[str]"]
LIMIT_S = 60


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server without trials."""
    with scripted() as found:
        found.by_path = {
            "/host": Reply(content=HOST),
            "/take-over": Reply(content={"trials": 0}),
            "/seen": Reply(content=SEEN),
            "/claims": Reply(content={"trial": None, "first_of_run": False}),
        }
        yield found


@pytest.fixture
def start(server: ScriptedServer, tmp_path: Path) -> Iterator[Start]:
    """Starts the worker, with these settings alone."""
    token = tmp_path / "token"
    token.write_text("plmh_" + "b" * 32)
    token.chmod(0o600)
    settings = {
        "PLIMSOLL_SERVER_URL": server.url,
        "PLIMSOLL_HOST_TOKEN_FILE": str(token),
        "PLIMSOLL_VAR_DIR": str(tmp_path / "var"),
        "PLIMSOLL_RUNTIME_DIR": str(tmp_path / "run"),
    }
    started: list[subprocess.Popen[str]] = []

    def begin(*argv: str, **more: str) -> subprocess.Popen[str]:
        environment = {name: value for name, value in os.environ.items() if "PLIMSOLL" not in name}
        process = subprocess.Popen(
            [sys.executable, "-m", *(argv or ("tests.worker.remote_program",))],
            cwd=ROOT, env=environment | settings | more, text=True,
            stdout=subprocess.PIPE, stderr=(tmp_path / "log").open("w"),
        )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def lines(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def log(tmp_path: Path) -> str:
    return (tmp_path / "log").read_text()


def claims(server: ScriptedServer) -> int:
    return sum(sent.path.endswith("/claims") for sent in server.sent)


def until(condition: Callable[[], bool], process: subprocess.Popen[str], tmp_path: Path) -> None:
    """Wait until the worker has done something that only the server sees."""
    for _ in range(LIMIT_S * 50):
        if condition():
            return
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
        break
    assert condition(), log(tmp_path)


def test_it_needs_no_setting_of_a_database_and_loads_nothing_of_one(
    start: Start, server: ScriptedServer, tmp_path: Path
) -> None:
    process = start()
    assert lines(process).readline() == "testbed\n"
    until(lambda: claims(server) > 0, process, tmp_path)
    until((tmp_path / "run" / READY_FILE).exists, process, tmp_path)
    process.send_signal(signal.SIGTERM)
    assert lines(process).read() == "stopped\nloaded\n", log(tmp_path)
    assert process.wait(LIMIT_S) == 0
    assert not (tmp_path / "run" / READY_FILE).exists() and not (tmp_path / "run" / NAME).exists()
    first = [sent.path.rpartition("/")[2] for sent in server.sent][:3]
    assert first == ["host", "take-over", "client-request"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT])
def test_signals_end_it_in_order(
    start: Start, server: ScriptedServer, tmp_path: Path, number: signal.Signals
) -> None:
    """SIGTERM waits for the running trial; SIGQUIT returns it to the queue."""
    trial = vars(FakeTrial()) | {"experiment": {"wait": True}}
    server.by_path["/claims"] = Reply(content={"trial": trial, "first_of_run": False})
    server.by_path[f"/trials/{FakeTrial().trial_id}/ending"] = Reply(content={"ended": True})
    process = start()
    assert [lines(process).readline() for _ in range(2)] == ["testbed\n", "trial\n"]
    process.send_signal(number)
    if number == signal.SIGTERM:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGQUIT)
    assert process.wait(LIMIT_S) == 0, log(tmp_path)
    (ending,) = [sent.body for sent in server.sent if sent.path.endswith("/ending")]
    assert (ending["fence"], ending["kind"], ending["outcome"]) == (1, "requeue", "aborted")
    assert claims(server) == 1


def test_a_signal_ends_a_start_that_waits_for_the_server(
    start: Start, server: ScriptedServer, tmp_path: Path
) -> None:
    server.by_path["/host"] = problem(503, "unavailable")
    process = start()
    until(lambda: len(server.sent) >= 3, process, tmp_path)
    assert not (tmp_path / "run" / READY_FILE).exists()
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT_S) == 0
    assert lines(process).read() == "testbed\nstopped\n" and log(tmp_path).count("does not") <= 1


def test_it_waits_for_a_server_that_starts_after_it(
    start: Start, server: ScriptedServer, tmp_path: Path
) -> None:
    server.by_path["/host"] = Reply(502, "Bad Gateway", "text/html")
    process = start()
    until(lambda: len(server.sent) >= 2, process, tmp_path)
    server.by_path["/host"] = Reply(content=HOST)
    until(lambda: claims(server) > 0, process, tmp_path)


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (problem(401, "unauthenticated", "this token was revoked"), "Join with a new enrolment"),
        (problem(426, "worker_outdated", "run ./scripts/join there"), "run ./scripts/join there"),
    ],
)
@pytest.mark.parametrize("place", ["/host", "/claims"])
def test_a_worker_that_is_not_accepted_ends_with_one_sentence(
    start: Start, server: ScriptedServer, tmp_path: Path, refusal: Reply, said: str, place: str
) -> None:
    server.by_path[place] = refusal
    process = start()
    assert process.wait(LIMIT_S) == EXIT_REJECTED, log(tmp_path)
    assert log(tmp_path).count(said) == 1 and "Traceback" not in log(tmp_path)
    assert lines(process).read() == "testbed\nstopped\nloaded\n"


CELERY = ("celery", "-A", "tests.worker.celery_program", "--quiet", "worker", "-P", "solo", "-c", "1")


@pytest.mark.parametrize("rejected", [False, True])
def test_with_redis_it_is_a_celery_worker_that_ends_in_the_same_way(
    start: Start, server: ScriptedServer, tmp_path: Path, redis_server: RedisServer, rejected: bool
) -> None:
    url = redis_url(REDIS_ADMIN, redis_server.socket)
    process = start(*CELERY, PLIMSOLL_REDIS_URL=url, PLIMSOLL_HOST_NAME="far-celery")
    assert lines(process).readline() == "testbed\n"
    until((tmp_path / "run" / READY_FILE).exists, process, tmp_path)
    found = redis_server.client()
    bound = "_kombu.binding.host.far-celery"
    until(lambda: bool(found.exists(bound)), process, tmp_path)
    if rejected:
        server.by_path["/claims"] = problem(401, "unauthenticated", "this token was revoked")
    else:
        process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT_S) == (EXIT_REJECTED if rejected else 0), log(tmp_path)
    assert "stopped\n" in lines(process).read()
    assert log(tmp_path).count("Join with a new enrolment") == int(rejected)


def test_the_program_itself_says_what_it_lacks() -> None:
    environment = {name: value for name, value in os.environ.items() if "PLIMSOLL" not in name}
    argv = [sys.executable, "-m", "worker.remote"]
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "PLIMSOLL_SERVER_URL is not set" in done.stderr
