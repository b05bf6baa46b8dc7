"""Two trees: the worker of a clone of the release before, as a process, at the API of this one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx2
import pytest

from backend.api import served_protocols
from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.session import dispose
from backend.worker_protocol import EXIT_REJECTED, PROTOCOL, release
from scripts.joining import tree
from tests.accounts import add_account, browser_headers
from tests.api.http_worker import enrolment, join
from tests.api.running import running
from tests.services import as_role
from tests.store.queued_run import QueuedRun
from tests.worker.remote_site import add_run
from tests.worker.second_tree import NEW, OLD, SecondTree, git, old_clone, two_releases

LIMIT_S = 60
FAR = "far-1"


@dataclass
class Server:
    """The API of this tree, and the token of a host that has joined it."""

    base: str
    admin: dict[str, str]
    folder: Path
    owner: Settings
    host_id: str
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    def release(self) -> dict[str, Any]:
        """What the page Hosts reads about the worker's release."""
        answer = httpx2.get(
            f"{self.base}/api/v1/hosts/{FAR}", headers=self.admin, trust_env=False, timeout=60
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["release"]
        return found

    def start(self, clone: SecondTree) -> subprocess.Popen[str]:
        """The worker of the clone: its own modules, with made-up trials."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PLIMSOLL", "PYTHON"))
        }
        settings = {
            "PLIMSOLL_SERVER_URL": self.base,
            "PLIMSOLL_HOST_TOKEN_FILE": str(self.folder / "token"),
            "PLIMSOLL_HOST_NAME": FAR,
            "PLIMSOLL_VAR_DIR": str(self.folder / "var"),
            "PLIMSOLL_RUNTIME_DIR": str(self.folder / "run"),
            "PLIMSOLL_INSTALLED": str(tree.installation(clone.folder)),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.worker.remote_program"],
            cwd=clone.folder, env=kept | settings, text=True,
            stdout=subprocess.PIPE, stderr=self.log.open("w"),
        )  # fmt: skip
        self.started.append(process)
        return process


@pytest.fixture
def server(owner_settings: Settings, tmp_path: Path) -> Iterator[Server]:
    api = as_role(owner_settings, grants.API)
    admin = browser_headers(api, add_account(api, installation_admin=True))
    with running(server_config(create_app(api), api)) as base:
        with httpx2.Client(base_url=base, trust_env=False, timeout=60) as client:
            joined = join(client, enrolment(client, admin)["secret"], FAR)  # type: ignore[arg-type]
        (tmp_path / "token").write_text(joined.json()["token"])
        (tmp_path / "token").chmod(0o600)
        found = Server(base, admin, tmp_path, owner_settings, joined.json()["host_id"])
        yield found
        for process in found.started:
            process.kill()
            process.wait()
            pipe(process).close()
    dispose(api)


def pipe(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def until(condition: Callable[[], bool], process: subprocess.Popen[str], server: Server) -> None:
    pause = threading.Event()
    for _ in range(LIMIT_S * 20):
        if condition():
            return
        assert process.poll() is None, server.log.read_text()
        pause.wait(0.05)
    raise AssertionError(server.log.read_text())


def measure(server: Server, clone: SecondTree) -> QueuedRun:
    """A run of this host that the clone's worker measures to its end."""
    queued = add_run(server.owner, server.host_id)
    process = server.start(clone)
    until(lambda: queued.run()["finished_at"] is not None, process, server)
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT_S) == 0, server.log.read_text()
    assert queued.call(invariants.violations) == []
    progress = queued.run()["progress"]
    assert progress["done"] > 0 and progress["done"] + progress["skipped"] == progress["total"]
    return queued


def test_a_worker_one_release_behind_with_the_same_protocol_measures(server: Server, tmp_path: Path) -> None:
    origin = two_releases(tmp_path, PROTOCOL, (f"v{OLD}", f"v{NEW}"))
    queued = measure(server, old_clone(origin, "branch", f"v{OLD}"))
    assert queued.sql("SELECT release, protocol FROM host WHERE name = 'far-1'") == [(OLD, PROTOCOL)]
    found = server.release()
    assert (found["worker"], found["server"], found["served"]) == (OLD, release(), True)
    assert f"git -C {tmp_path}/clone pull --ff-only" in found["update"]


NEWEST = "git -C {0} fetch && git -C {0} checkout --detach origin/HEAD"


CLONES = [
    ("branch", ("v0.0.9", "v0.1.0"), "git -C {0} pull --ff-only"),
    ("tag", ("r-0.0.9", "r-0.1.0"), "git -C {0} fetch --tags && git -C {0} checkout r-0.1.0"),
    ("tag", ("spring", "summer"), NEWEST),
    ("commit", ("v0.0.9", "v0.1.0"), NEWEST),
]


@pytest.mark.parametrize(("way", "tags", "expected"), CLONES)
def test_the_command_of_every_kind_of_clone_updates_it(
    tmp_path: Path, way: str, tags: tuple[str, str], expected: str
) -> None:
    clone = old_clone(two_releases(tmp_path, PROTOCOL - 1, tags), way, tags[0])
    command = expected.format(clone.folder) + f" && {clone.folder}/scripts/join"
    assert tree.installation(clone.folder).update(OLD, NEW) == command
    clone.run_update(command)
    assert git(clone.folder, "rev-parse", "HEAD") == git(clone.folder, "rev-parse", "origin/main")


@pytest.mark.parametrize(
    ("way", "tags", "expected"),
    [CLONES[0], *(pytest.param(*clone, marks=pytest.mark.full) for clone in CLONES[1:])],
)
def test_a_worker_of_the_protocol_before_measures_until_the_server_is_updated_and_then_after_its_own_update(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    tags: tuple[str, str],
    expected: str,
) -> None:
    """The server names a command, which the worker prints and the page has; it is run as it is."""
    clone = old_clone(two_releases(tmp_path, PROTOCOL - 1, tags), way, tags[0])
    command = expected.format(clone.folder) + f" && {clone.folder}/scripts/join"
    with monkeypatch.context() as before:
        before.setattr(served_protocols, "OLDEST", PROTOCOL - 1)
        queued = measure(server, clone)
        assert server.release()["served"] and server.release()["update"].endswith(command)
    rejected = server.start(clone)
    assert rejected.wait(LIMIT_S) == EXIT_REJECTED
    log = server.log.read_text()
    assert log.count(command) == 1 and f"no longer serves workers of release {OLD}" in log
    assert "stays enrolled" in log and "Traceback" not in log
    found = server.release()
    assert not found["served"] and re.search(
        f"run on the worker's host: {re.escape(command)}$", found["update"]
    )
    clone.run_update(command)
    measure(server, clone)
    assert queued.sql("SELECT release, protocol FROM host WHERE name = 'far-1'") == [(NEW, PROTOCOL)]
    assert (server.release()["served"], server.release()["update"]) == (True, None)


def test_a_worker_of_a_newer_protocol_is_refused_until_the_server_is_updated(
    server: Server, tmp_path: Path
) -> None:
    clone = old_clone(two_releases(tmp_path, PROTOCOL + 1, ("next", "now")), "tag", "next")
    rejected = server.start(clone)
    assert rejected.wait(LIMIT_S) == EXIT_REJECTED
    assert server.log.read_text().count("update the server first") == 1
