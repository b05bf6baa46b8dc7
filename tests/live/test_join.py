"""A second installation on this host joins a real server by the scripts, measures, and leaves nothing."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from backend.cli import local_access
from backend.settings import Settings
from backend.store.models import Account
from backend.store.repositories import enrolments
from backend.store.secrets import ENROLMENT, SHOWN, digest, new_token
from backend.store.session import dispose, session_scope
from scripts.joining.unit import DROPPED
from scripts.starter.certificate import Pair, make
from tests.live.conftest import ROOT
from tests.live.folders import new_folder
from tests.live.host import snapshot
from tests.live.product.installation import NOISE_ALLOWED, free_port, terminal
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed

pytestmark = pytest.mark.full
LIMIT_S = 300.0
FAR = "far-1"


@dataclass
class Server:
    """A server with TLS, and Redis for joined hosts."""

    url: str
    var: Path
    pair: Pair

    @property
    def access(self) -> local_access.LocalAccess:
        found = local_access.read(self.var / local_access.FILE)
        assert found is not None
        return found

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = httpx2.request(
            method,
            f"{self.url}/api/v1{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.access.token}"},
            verify=ssl.create_default_context(cadata=self.pair.chain.decode()),
            timeout=70,
        )
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def enrolment(self) -> str:
        """The URL of a new enrolment, stored as the API stores it."""
        settings = Settings(database_url=self.access.environment["PLIMSOLL_DATABASE_URL"])
        secret = new_token(ENROLMENT)
        with session_scope(settings) as session:
            account = session.scalars(select(Account.id).limit(1)).one()
            enrolments.add(session, digest(secret), secret[:SHOWN], "", None, account, timedelta(hours=1))
        dispose(settings)
        return f"{self.url}/join#{secret}"

    def host(self) -> dict[str, Any]:
        """What the server knows about the joined host."""
        return next((host for host in self.call("GET", "/hosts")["data"] if host["name"] == FAR), {})


@pytest.fixture(scope="module")
def server(testbed: Testbed, install: InstallPaths) -> Iterator[Server]:
    """A server on loopback."""
    var, port = new_folder("live-server", install), free_port()
    pair = make(("127.0.0.1",), datetime.now(UTC))
    (var / "cert.pem").write_bytes(pair.chain)
    (var / "key.pem").write_bytes(pair.key)
    (var / "key.pem").chmod(0o600)
    arguments = {
        **{"--root": ROOT, "--var": var, "--port": port, "--worker-redis": free_port()},
        **{"--tls-cert": var / "cert.pem", "--tls-key": var / "key.pem"},
    }
    words = [str(word) for pair_ in arguments.items() for word in pair_]
    starter = subprocess.Popen([sys.executable, "-m", "scripts.starter", *words], cwd=ROOT)
    try:
        wait_for(lambda: (var / "ready.json").exists(), starter)
        yield Server(f"https://127.0.0.1:{port}", var, pair)
    finally:
        starter.send_signal(signal.SIGTERM)
        assert starter.wait(120) == 0
        shutil.rmtree(var)


def wait_for(condition: Any, process: subprocess.Popen[Any]) -> None:
    """Wait until the condition holds, while the process runs."""
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert process.poll() is None, f"{process.args!r} ended with {process.returncode}"
        assert time.monotonic() < deadline, "not in time"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2)


def test_a_host_joins_measures_and_leaves_nothing(server: Server, install: InstallPaths) -> None:
    """The worker runs without the capabilities that its unit drops."""
    var = new_folder("live-far", install)
    before, runtimes = snapshot("none"), sorted(Path("/run").glob("plimsoll-*"))
    environment = {**os.environ, "PLIMSOLL_VAR_DIR": str(var)}
    bounding = ",".join(f"-{name.removeprefix('CAP_').lower()}" for name in DROPPED)
    join = ["scripts/join", "-", "--name", FAR, "--fingerprint", server.pair.fingerprint]
    enrolled = subprocess.run(
        [*join, "--no-start"], cwd=ROOT, env=environment, input=server.enrolment(), text=True, check=False
    )
    assert enrolled.returncode == 0
    limited = ["setpriv", f"--bounding-set={bounding}", "--", "scripts/join", "--foreground"]
    worker = subprocess.Popen(limited, cwd=ROOT, env=environment)
    try:
        wait_for(lambda: server.host().get("online"), worker)
        run = server.call(
            "POST",
            f"/experiments/{experiment(server)}/runs",
            {"host": FAR},
        )
        wait_for(lambda: terminal(server.call("GET", f"/runs/{run['id']}?wait=1")), worker)
        assert server.call("GET", f"/runs/{run['id']}")["state"] == "done"
        trials = server.call("GET", f"/runs/{run['id']}/trials")["data"]
        assert {trial["evidence_verdict"] for trial in trials} == {"proven"}
        assert "worker.app" in Path(f"/proc/{child_of(worker.pid)}/cmdline").read_text()  # woken by Redis
    finally:
        left = subprocess.run(
            ["scripts/leave"], cwd=ROOT, env=environment, check=False, stdout=subprocess.PIPE, text=True
        )
        worker.wait(60)
    assert left.returncode == 0 and worker.returncode == 0
    assert not var.exists()
    assert sorted(Path("/run").glob("plimsoll-*")) == runtimes
    assert snapshot("none") == before
    assert f"has revoked the token of {FAR}" in left.stdout


def child_of(pid: int) -> int:
    """The worker of a supervisor."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(int(child) for child in children if "worker" in Path(f"/proc/{child}/cmdline").read_text())


def experiment(server: Server) -> str:
    """A small experiment."""
    made = server.call(
        "POST",
        "/experiments",
        {
            "name": "far",
            "title": "far",
            "factors": {
                "path": ["same_container", "published_loopback"],
                "scale": [1],
                "duration_s": [1],
                "warm_up_s": [0],
            },
            "rounds": 2,
            "seed": 7,
            "baseline": {"path": "same_container"},
            "quality": NOISE_ALLOWED,
        },
    )
    return str(made["id"])
