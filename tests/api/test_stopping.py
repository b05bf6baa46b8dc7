"""The end of the API's process and of a command by a signal: no error, no traceback, and at once."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import yaml
from fastapi.testclient import TestClient

from backend.settings import Settings
from tests.api.client import DOCUMENT, Worker, start_run
from tests.api.noisy_host import NoisyHost
from tests.scripts.waiting import eventually
from tests.services import ROOT

LIMIT_S = 300.0
"""A condition that is not met by then never will be."""
SERVE = "from backend.api import serve; serve.GRACE_S = 60; serve.main()"
"""The API with a longer grace: on a busy machine an answer takes its time, and no stop may depend on it."""
BAD = re.compile(r"\b(ERROR|CRITICAL|Traceback|Error|Aborted)\b")


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


@pytest.fixture
def process(settings: Settings, listener: socket.socket, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The API as `scripts/up` starts it, on this test's database and Redis."""
    given = {
        "PLIMSOLL_DATABASE_URL": settings.database_url,
        "PLIMSOLL_REDIS_URL": settings.redis,
        "PLIMSOLL_VAR_DIR": str(settings.var_dir),
        "PLIMSOLL_PORT": str(listener.getsockname()[1]),
    }
    argv = [sys.executable, "-c", SERVE, "--fd", str(listener.fileno())]
    with (tmp_path / "api.log").open("wb") as log:
        found = subprocess.Popen(
            argv, cwd=ROOT, env=os.environ | given, stdout=log, stderr=log, pass_fds=(listener.fileno(),)
        )
    yield found
    found.kill()
    found.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_api_ends_at_once_with_streams_and_long_polls_open(
    api: TestClient,
    token: dict[str, str],
    process: subprocess.Popen[bytes],
    worker: Worker,
    listener: socket.socket,
    tmp_path: Path,
    number: signal.Signals,
) -> None:
    run, address = start_run(api)["id"], listener.getsockname()
    url = f"http://127.0.0.1:{address[1]}/api/v1/runs/{run}"
    with (
        httpx2.stream("GET", f"{url}/events", headers=token, timeout=LIMIT_S) as stream,
        socket.create_connection(address) as poll,
    ):
        lines = stream.iter_lines()
        assert next(lines).startswith("event: ")
        head = f"Host: 127.0.0.1:{address[1]}\r\nAuthorization: {token['Authorization']}\r\n"
        poll.sendall(f"GET /api/v1/runs/{run}?wait=50 HTTP/1.1\r\n{head}\r\n".encode())
        assert httpx2.get(url, headers=token, timeout=LIMIT_S).is_success, "so the poll has been read, too"
        process.send_signal(number)
        assert list(lines)[-1] == "", "the stream ends after a whole event"
        poll.settimeout(LIMIT_S)
        assert poll.recv(100).startswith(b"HTTP/1.1 200 ")
    process.wait(LIMIT_S)
    said = (tmp_path / "api.log").read_text()
    assert not BAD.search(said), said
    assert process.returncode in (-number, 0)


def test_ctrl_c_leaves_a_followed_run_and_says_so_in_one_line(
    served: str, token: dict[str, str], worker: Worker, tmp_path: Path
) -> None:
    file, quiet = tmp_path / "two.yaml", threading.Event()
    file.write_text(yaml.safe_dump(DOCUMENT))
    errors = tmp_path / "errors"
    with errors.open("wb") as stderr:
        command = subprocess.Popen(
            # A test run in the background ignores SIGINT, and its children would, too.
            [
                "env",
                "--default-signal=INT",
                sys.executable,
                "-m",
                "backend.cli.main",
                "run",
                str(file),
                "--follow",
            ],
            cwd=ROOT,
            env=os.environ | {"PLIMSOLL_URL": served},
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    assert eventually(lambda: worker.open() > 0, LIMIT_S)
    host = threading.Thread(target=NoisyHost(worker, quiet.is_set).run_one)
    host.start()
    try:
        assert eventually(lambda: "Waits for a quiet host" in errors.read_text(), LIMIT_S), errors.read_text()
        before = errors.read_text()
        os.killpg(command.pid, signal.SIGINT)
        out, _ = command.communicate(timeout=LIMIT_S)
    finally:
        quiet.set()
        host.join()
    run_id = before.split(":")[0]
    (line,) = errors.read_text().removeprefix(before).splitlines()
    assert line == f"{run_id} goes on without this command; plimsoll cancel {run_id} cancels it"
    assert (command.returncode, out) == (130, b"")
    assert worker.open() > 0
