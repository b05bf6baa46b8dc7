"""The unit of a joined host under a real systemd: enabled by scripts/join, back after a reboot, removed."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from scripts.starter.certificate import Pair, make
from tests.accounts import add_account, browser_headers
from tests.api.running import running
from tests.live.conftest import ROOT
from tests.live.control_groups import hierarchies
from tests.live.systemd_machine import OWN, SYSTEMD, Machine
from worker.engine.names import InstallPaths

FAR = "far-1"
LIMIT_S = 300.0
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not SYSTEMD.exists(), reason="this host has no systemd to start"),
    pytest.mark.skipif(os.geteuid() != 0, reason="namespaces and mounts are root's"),
]
LACKS: Final = {
    version: (version == 1) not in {found.is_first_version for found in hierarchies()} for version in (1, 2)
}
PREFLIGHT: Final = Path("scripts/setup/preflight.bash")


@dataclass
class Server:
    """An API that listens on the link to the machine."""

    base: str
    admin: dict[str, str]
    pair: Pair

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = httpx2.request(
            method, f"{self.base}/api/v1{path}", json=body, headers=self.admin, verify=False, trust_env=False
        )
        assert answer.is_success, answer.text
        return answer.json()

    def enrolment(self) -> str:
        return f"{self.base}/join#{self.call('POST', '/hosts/enrolments', {})['secret']}"

    def host(self) -> dict[str, Any]:
        return next((host for host in self.call("GET", "/hosts")["data"] if host["name"] == FAR), {})


@pytest.fixture(
    params=[
        pytest.param(version, marks=pytest.mark.skipif(LACKS[version], reason="this host has none of them"))
        for version in (1, 2)
    ],
    ids=["control-groups-1", "control-groups-2"],
)
def machine(tmp_path: Path, install: InstallPaths, request: pytest.FixtureRequest) -> Iterator[Machine]:
    found = Machine(tmp_path / "m", request.param)
    if request.param == 2 and not LACKS[1]:
        accept_missing_controllers(found)
    images = found.folder / "var/images"
    images.mkdir()
    for kept in filter(Path.is_file, (install.var / "images").iterdir()):
        shutil.copy(kept, images)
    try:
        found.boot()
        yield found
    finally:
        found.off()


def accept_missing_controllers(machine: Machine) -> None:
    """Leave a check of scripts/join out: this host's hierarchies of version 1 have the controllers."""
    changed = machine.folder / "up" / ROOT.relative_to("/") / PREFLIGHT
    changed.parent.mkdir(parents=True)
    changed.write_text((ROOT / PREFLIGHT).read_text() + "\nneed_cgroups() { :; }\n")


@pytest.fixture
def server(settings: Settings, machine: Machine, tmp_path: Path) -> Iterator[Server]:
    pair = make((OWN,), datetime.now(UTC))
    file = tmp_path / "server.pem"
    file.write_bytes(pair.key + pair.chain)
    with socket.create_server((OWN, 0)) as listener:
        port = listener.getsockname()[1]
        changed = {"tls_cert": file, "tls_key": file, "port": port, "listen_host": OWN}
        served = settings.model_copy(update=changed)
        admin = browser_headers(served, add_account(served, installation_admin=True))
        base = f"https://{OWN}:{port}"
        with running(server_config(create_app(served), served), "https", listener):
            yield Server(base, {**admin, "Origin": base}, pair)


def until(condition: Any, machine: Machine, unit: str) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            status = machine.run("systemctl", "status", "--no-pager", unit).stdout
            raise AssertionError(
                f"{status}\n{machine.run('tail', '-30', '/plimsoll-var/log/worker.log').stdout}"
            )
        time.sleep(0.5)


def test_a_unit_is_enabled_comes_back_after_a_reboot_and_is_removed(machine: Machine, server: Server) -> None:
    var = {"PLIMSOLL_VAR_DIR": "/plimsoll-var"}
    joined = machine.run(
        f"{ROOT}/scripts/join",
        server.enrolment(),
        "--name",
        FAR,
        "--fingerprint",
        server.pair.fingerprint,
        **var,
    )
    assert joined.returncode == 0, joined.stdout + joined.stderr
    (unit,) = [word for word in joined.stdout.split() if word.startswith("plimsoll-worker-")][:1]
    assert machine.run("systemctl", "is-enabled", unit).stdout == "enabled\n"
    until(lambda: server.host().get("online") and machine.state(unit) == "active", machine, unit)
    first = server.host()

    passed_on = machine.controllers() if machine.version == 2 else set()
    assert machine.run("systemctl", "daemon-reload").returncode == 0
    assert machine.version == 1 or machine.controllers() == passed_on, "engines keep their limits"

    machine.reboot(connected=False)
    until(lambda: machine.state("multi-user.target") == "active", machine, unit)
    assert machine.state(unit) == "active", "the boot does not wait for a server that is away"
    waits = machine.run("systemctl", "show", "--property=StatusText", "--value", unit).stdout
    assert waits == f"starting, and waiting for {server.base} where it does not answer\n"
    machine.connect()
    until(lambda: server.host()["last_seen_at"] > first["last_seen_at"], machine, unit)
    assert server.host()["environment"]["host"] == first["environment"]["host"]

    left = machine.run(f"{ROOT}/scripts/leave", **var)
    assert left.returncode == 0, left.stdout + left.stderr
    assert f"has revoked the token of {FAR}" in left.stdout
    assert server.host()["access"] == "revoked"
    assert machine.run("systemctl", "list-unit-files", "plimsoll-*", "--no-legend").stdout == ""
    assert machine.run("ls", "/etc/systemd/system/multi-user.target.wants").stdout == ""
    assert machine.run("ls", "-A", "/plimsoll-var").stdout == ""
    assert machine.run("sh", "-c", "ip netns list; ls -d /run/plimsoll-* 2>/dev/null").stdout == ""
