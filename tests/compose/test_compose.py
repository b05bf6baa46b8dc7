"""compose.yaml as a team uses it: start, sign-in, runs, restarts, upgrade, TLS, backup, end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.compose.in_namespace import NetworkNamespace
from tests.compose.installation import (
    BUILD_S,
    INSTALL,
    PROJECT,
    RUNTIME,
    VAR,
    Browser,
    Compose,
    Engine,
    build_settings,
    give_image,
)
from tests.compose.remains import network, remains
from tests.live.conftest import ROOT, TRIES
from tests.live.host import snapshot
from worker.engine.names import InstallPaths
from worker.host.ledger import Ledger
from worker.images.bootstrap import ensure_image

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(os.geteuid() != 0, reason="a private engine needs root"),
    pytest.mark.skipif(shutil.which("docker") is None, reason="Docker's command line is not installed"),
]

LOCAL = "http://127.0.0.1:8420"
PUBLIC = "https://plimsoll.test:8443"
CELLS = {
    "path": ["same_container", "published_loopback"],
    "userland_proxy": [True, False],
    "scale": [1],
    "duration_s": [1],
    "warm_up_s": [0],
}
CHANGED = "FROM plimsoll\nLABEL org.plimsoll.test=changed\n"


class Server:
    """The installation, as the tests share it, in their order."""

    def __init__(self, engine: Engine, compose: Compose, namespace: NetworkNamespace) -> None:
        self.engine = engine
        self.compose = compose
        self.namespace = namespace
        self.browser = Browser(namespace, LOCAL)
        self.network_before = network(engine.names.netns)
        self.small = self.share = ""

    @property
    def install_id(self) -> str:
        return (self.volume("secrets") / "install-id").read_text().strip()

    def volume(self, name: str) -> Path:
        return self.engine.volumes / f"{PROJECT}_{name}" / "_data"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An engine with the images, without a container; afterwards the host is as it was."""
    folder = tmp_path_factory.mktemp("compose")
    live = InstallPaths(INSTALL, RUNTIME, ROOT / "var" / "live-tests")
    ensure_image(live, Ledger(VAR / "ledger.jsonl"), print)
    before = host_state()
    engine = Engine()
    compose = Compose(engine, folder)
    try:
        engine.start(isolated=False)
        settings = compose.settings
        compose.settings = settings | build_settings(folder)
        compose.script("scripts/compose/base-images")
        compose("build", limit_s=BUILD_S)
        compose.settings = settings
        compose.docker("tag", "plimsoll", "plimsoll:built")
        engine.start(isolated=True)
        assert engine.running is not None
        namespace = NetworkNamespace(engine.running.netns_path)
        try:
            yield Server(engine, compose, namespace)
        finally:
            compose("--profile", "*", "down", "--volumes", "--timeout", "60")
            namespace.close()
    finally:
        engine.stop()
    assert host_state() == before


def host_state() -> dict[str, str]:
    """The host's network and Docker, without the named namespaces of other installations."""
    state = snapshot(INSTALL, (VAR,))
    names = state["ip netns list"].splitlines()
    return state | {"ip netns list": "\n".join(name for name in names if f"plm{INSTALL}" in name)}


def test_the_image_has_no_trace_of_the_builds_configuration(server: Server) -> None:
    history = server.compose.docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", "plimsoll")
    assert "scripts/compose/build permissions" in history
    given = "find /run/secrets /etc/apt/apt.conf.d/99plimsoll-build /root/.npmrc /etc/pip.conf -type f"
    kept = "ls .venv/bin/plimsoll frontend/dist/index.html && ! ls .venv/bin/node"
    command = ["run", "--rm", "--network", "none", "plimsoll", "sh", "-c", f"{given}; {kept}"]
    assert server.compose.docker(*command).split() == [".venv/bin/plimsoll", "frontend/dist/index.html"]


def test_it_starts_in_order_and_the_administrator_signs_in(server: Server) -> None:
    compose = server.compose
    compose("create", "--pull", "never")
    give_image(server.engine, ROOT / "var" / "live-tests" / "images")
    compose("up", "--detach", "--wait")
    states = compose.containers()
    once = {"prepare", "roles", "migrate"}
    assert states == dict.fromkeys(once, "exited") | dict.fromkeys(
        ("postgres", "redis", "api", "worker"), "running"
    )
    server.browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    [host] = server.browser.get("/hosts")["data"]
    assert host["name"] == "compose-host" and host["online"] is True
    passwords = [path.read_text().strip() for path in server.volume("secrets").iterdir()]
    assert len(set(passwords)) == len(passwords) >= 8
    text = json.dumps(compose("config")) + compose.logs()
    assert not [password for password in passwords if len(password) > 6 and password in text]


def test_a_small_experiment_has_a_proven_result(server: Server) -> None:
    """On a busy machine a sample of the connections may come too early or too late: then once more."""
    for _ in range(TRIES):
        run_id = server.browser.start_run("small", CELLS, rounds=2)
        done = server.browser.await_run(run_id, ended)
        assert done["state"] == "done" and done["progress"]["failed"] == 0, done
        verdicts = [t["evidence_verdict"] for t in server.browser.get(f"/runs/{run_id}/trials")["data"]]
        assert len(verdicts) == 10
        if set(verdicts) == {"proven"}:
            break
    assert set(verdicts) == {"proven"}
    chart = server.browser.get(f"/runs/{run_id}/result")
    assert all(cell["evidence"]["proven"] == 2 for cell in chart["cells"])
    server.small = run_id
    server.share = server.browser.post(f"/runs/{run_id}/shares", {"kind": "private"})["token"]


def ended(run: dict[str, Any]) -> bool:
    return run["state"] in ("done", "cancelled", "incomplete")


def measuring_after(done: int) -> Callable[[dict[str, Any]], bool]:
    """Whether more trials than these are done, and one is being measured."""
    return lambda run: run["progress"]["done"] > done and run["current"] is not None


def test_every_service_is_restarted_in_a_run_and_nothing_is_lost_or_twice(server: Server) -> None:
    run_id = server.browser.start_run("restarted", CELLS, rounds=5)
    done = 0
    for service in ("redis", "api", "postgres", "worker"):
        done = server.browser.await_run(run_id, measuring_after(done))["progress"]["done"]
        server.compose("restart", service)
    server.browser.await_run(run_id, measuring_after(done))
    victim = server.compose.pid("worker")
    os.kill(victim, signal.SIGKILL)
    finished = server.browser.await_run(run_id, ended)
    assert finished["state"] == "done" and finished["progress"]["failed"] == 0, finished
    trials = server.browser.get(f"/runs/{run_id}/trials")["data"]
    assert len(trials) == len({(trial["cell_id"], trial["round"]) for trial in trials}) == 25
    assert {trial["state"] for trial in trials} == {"done"}
    server.compose("exec", "api", "plimsoll", "check-invariants")
    assert server.compose.pid("worker") != victim


def test_an_upgrade_behind_tls_keeps_data_and_links(server: Server) -> None:
    compose, old = server.compose, server.browser
    result = old.get(f"/runs/{server.small}/result")
    folder = VAR / "changed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "Dockerfile").write_text(CHANGED)
    compose.docker("build", "--tag", "plimsoll", str(folder))
    compose("down")
    assert remains(server.install_id) == []
    assert network(server.engine.names.netns) == server.network_before
    compose.settings |= {"PLIMSOLL_PUBLIC_URL": PUBLIC, "PLIMSOLL_TRUSTED_PROXY": "127.0.0.1"}
    compose.settings |= {"COMPOSE_PROFILES": "tls,backup"}
    compose("up", "--detach", "--wait")
    for service in ("api", "worker", "tls", "backup"):
        label = '{{index .Config.Labels "org.plimsoll.test"}}'
        container = compose("ps", "--quiet", service).strip()
        assert compose.docker("inspect", "--format", label, container).strip() == "changed"
    context = ssl.create_default_context(cafile=str(server.volume("tls") / "certificate.pem"))
    server.browser = browser = Browser(server.namespace, PUBLIC, context)
    browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    assert browser.get(f"/runs/{server.small}/result") == result
    assert browser.post("/shares:open", {"token": server.share})["chart"]["cells"]
    answer = browser.request("GET", "/session", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status_code == 200 and "strict-transport-security" not in answer.headers


def test_a_backup_is_made_and_restored(server: Server) -> None:
    compose = server.compose
    [backup] = server.volume("backups").glob("plimsoll-*.tar")
    stored = run_ids(server)
    later = server.browser.start_run("later", CELLS, rounds=1)
    server.browser.await_run(later, ended)
    compose("stop", "worker", "api", "backup")
    restore = ["plimsoll", "restore", "--replace", f"/backups/{backup.name}"]
    compose("run", "--rm", "--no-deps", "backup", *restore)
    compose("up", "--detach", "--wait")
    server.browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    assert later not in stored and run_ids(server) == stored


def run_ids(server: Server) -> set[str]:
    """The runs that the server has."""
    return {run["id"] for run in server.browser.get("/runs")["data"]}


def test_down_leaves_the_data_and_nothing_else(server: Server) -> None:
    install_id = server.install_id
    run_id = server.browser.start_run("unfinished", CELLS | {"duration_s": [60]}, rounds=1)
    server.browser.await_run(run_id, lambda run: run["current"] is not None)
    assert remains(install_id), "engines of the worker run now"
    server.compose("down")
    assert server.compose.containers() == {}
    assert remains(install_id) == []
    assert network(server.engine.names.netns) == server.network_before
    assert server.volume("postgres").exists() and server.volume("secrets").exists()
    server.compose("down", "--volumes")
    assert [path.name for path in server.engine.volumes.iterdir() if path.is_dir()] == []
