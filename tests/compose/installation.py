"""compose.yaml in an engine of its own: Docker Compose of Debian 13, base images of Debian's packages."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2

from backend.api.access.authentication import CSRF_HEADER
from tests.compose.in_namespace import NetworkNamespace
from tests.live.conftest import ROOT
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import LINK_ADDRESSES, EngineNames, InstallPaths, engine_names
from worker.engine.segment import Segment
from worker.host.ledger import Ledger

INSTALL: Final = "compose"
RUNTIME: Final = Path("/run/plimsoll-compose")
VAR: Final = ROOT / "var" / "live-compose"
COMPOSE: Final = ROOT / "var/tools/compose/docker-compose"
PROJECT: Final = "plimsoll"
OWN_HOST: Final = "compose-host"
"""The server's own, as every test names it: others have joined or left in other tests."""
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
PIP: Final = Path("/etc/pip.conf")
NPM: Final = Path.home() / ".npmrc"
BUILD_S: Final = 1200
COMMAND_S: Final = 600
RUN_S: Final = 600


@dataclass
class Engine:
    """A private engine, first with the host's network to build, then in a namespace of its own.

    A second one, of another `key`, is another host on its link.
    """

    key: str = "team"
    address: str = LINK_ADDRESSES["on"]
    ledger: Ledger = field(default_factory=lambda: Ledger(VAR / "ledger.jsonl"))
    running: LabEngine | None = None
    segment: Segment | None = None

    @property
    def names(self) -> EngineNames:
        return engine_names(InstallPaths(INSTALL, RUNTIME, VAR), self.key)

    @property
    def volumes(self) -> Path:
        """Where the engine keeps volumes."""
        return self.names.data / "docker" / "volumes"

    def start(self, isolated: bool) -> None:
        """Start it; isolated: in a namespace without a way out."""
        self.stop()
        self.segment = Segment(INSTALL, self.ledger) if isolated else None
        self.running = LabEngine(self.names, self.ledger, LabSettings(True), self.segment)
        self.running.start()

    def start_beside(self, other: Engine) -> None:
        """Start it as another host on the link of an isolated one."""
        settings = LabSettings(True, address=self.address)
        self.running = LabEngine(self.names, self.ledger, settings, other.segment)
        self.running.start()

    def stop(self) -> None:
        if self.running is not None:
            self.running.stop()
        if self.segment is not None:
            self.segment.stop()
        self.running = self.segment = None


class Compose:
    """Commands of a user beside compose.yaml; `settings` are those of the file .env."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._engine = engine
        self.settings: dict[str, str] = {"PLIMSOLL_HOST_NAME": OWN_HOST}
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "DOCKER_CONFIG": str(folder),
            "DOCKER_HOST": f"unix://{engine.names.docker_socket}",
        }

    def __call__(self, *arguments: str, limit_s: float = COMMAND_S) -> str:
        """`docker compose ARGUMENTS`; its output. Fails the test with all of it where it fails."""
        argv = [str(COMPOSE), "--env-file", "/dev/null", "-p", PROJECT, "--ansi", "never", *arguments]
        try:
            return self._run(argv, self.settings, limit_s)
        except AssertionError as error:
            if "up" in arguments:
                raise AssertionError(f"{error}\n{self.containers()}\n{self.logs()}") from None
            raise

    def docker(self, *arguments: str, limit_s: float = COMMAND_S) -> str:
        """`docker ARGUMENTS`."""
        return self._run(["docker", *arguments], {}, limit_s)

    def shell(self, line: str, limit_s: float = COMMAND_S) -> str:
        """A command line as a user pastes it."""
        return self._run(["sh", "-c", line], {}, limit_s)

    def script(self, name: str, limit_s: float = BUILD_S) -> str:
        """A script of the repository, with this engine for its Docker commands."""
        return self._run([str(ROOT / name)], self.settings, limit_s)

    def _run(self, argv: list[str], settings: Mapping[str, str], limit_s: float) -> str:
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env=self._environment | dict(settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",  # a build's log is cut at a byte where it is long or fast
            timeout=limit_s,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(argv[-6:])}: {done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        return done.stdout

    def containers(self) -> dict[str, str]:
        """Service and state of every container, also of those that have ended."""
        form = '{{.Label "com.docker.compose.service"}} {{.State}}'
        services = "label=com.docker.compose.service"
        lines = self.docker("ps", "--all", "--filter", services, "--format", form).splitlines()
        return dict(line.split() for line in lines)

    def pid(self, service: str) -> int:
        """The first process of a service's container."""
        container = self("ps", "--quiet", service).strip()
        return int(self.docker("inspect", "--format", "{{.State.Pid}}", container))

    def logs(self) -> str:
        return self("logs", "--no-color", "--tail", "60")


def build_settings(folder: Path) -> dict[str, str]:
    """What a user of this machine gives the build, so that it reaches the machine's own registries."""
    found = {"PLIMSOLL_BUILD_NETWORK": "host"}
    for name, file in (("CERTIFICATES", CERTIFICATES), ("PIP", PIP), ("NPM", NPM)):
        if file.exists():
            found[f"PLIMSOLL_BUILD_{name}"] = str(file)
    if index := os.environ.get("PIP_INDEX_URL"):
        (folder / "pip.conf").write_text(f"[global]\nindex-url = {index}\n")
        found["PLIMSOLL_BUILD_PIP"] = str(folder / "pip.conf")
    return found


class Browser:
    """A client of the server at `url`, in the network namespace of the engine's host."""

    def __init__(
        self,
        namespace: NetworkNamespace,
        url: str,
        trusted: ssl.SSLContext | bool = True,
        address: str = "127.0.0.1",
    ) -> None:
        """The server of the URL's host is at `address`, as /etc/hosts would name it."""
        self._address = address
        self._namespace = namespace
        self.url = url
        self._trusted = trusted
        self._authority = url.partition("://")[2]
        self._headers: dict[str, str] = {}
        self._session: dict[str, str] = {}

    def request(self, method: str, path: str, **more: Any) -> httpx2.Response:
        """Any request below /api/v1."""
        more["headers"] = more.get("headers") or dict(self._headers)
        host = self._authority.partition(":")[0]
        address = f"{self.url.replace(host, self._address)}/api/v1{path}"
        more["headers"]["Host"] = self._authority
        more["extensions"] = {"sni_hostname": host}
        return self._namespace.call(self._send, method, address, **more)

    def _send(self, method: str, address: str, **more: Any) -> httpx2.Response:
        with httpx2.Client(trust_env=False, verify=self._trusted, timeout=30) as client:
            return client.request(method, address, **more)

    def get(self, path: str) -> Any:
        answer = self.request("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        answer = self.request("POST", path, json=body)
        assert answer.status_code in (200, 201, 202, 204), answer.text
        return answer.json() if answer.content else None

    def in_session(self, path: str, body: Any, **headers: str) -> Any:
        """POST as the page does, for what no token may do; the body of the answer."""
        answer = self.request("POST", path, json=body, headers=self._session | headers)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def sign_in(self, link: str) -> None:
        """Use a one-time link as the page does, then make a token as a script uses it."""
        address, _, secret = link.strip().partition("#")
        assert address == f"{self.url}/sign-in"
        self._headers = {"Origin": self.url}
        answer = self.request("POST", "/sessions", json={"link": secret})
        assert answer.status_code == 204, answer.text
        self._headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        self._headers[CSRF_HEADER] = self.get("/session")["csrf_token"]
        self._session = dict(self._headers)
        scopes = ["run:read", "run:write", "share:write", "admin"]
        made = self.post("/tokens", {"name": "test", "scopes": scopes, "expires_in_days": 1})
        self._headers = {"Authorization": f"Bearer {made['token']}"}

    def start_run(self, name: str, factors: Mapping[str, Any], rounds: int, host: str = OWN_HOST) -> str:
        """Submit and start a run that waits for no quiet host; its id."""
        noise = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
        experiment = self.post(
            "/experiments",
            {
                "name": name,
                "title": name,
                "factors": dict(factors),
                "rounds": rounds,
                "seed": 7,
                "baseline": {"path": "same_container", "userland_proxy": True},
                "quality": noise,
            },
        )
        where = {"host": host}
        return str(self.post(f"/experiments/{experiment['id']}/runs", where)["id"])

    def await_run(self, run_id: str, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The run as soon as the condition holds; an API that does not answer gets another request."""
        deadline = time.monotonic() + RUN_S
        seen: dict[str, Any] | str = "nothing"
        while time.monotonic() < deadline:
            try:
                answer = self.request("GET", f"/runs/{run_id}?wait=1")
            except httpx2.TransportError as error:
                seen = str(error)
            else:
                seen = answer.json() if answer.status_code == 200 else answer.text
                if isinstance(seen, dict) and condition(seen):
                    return seen
            time.sleep(0.2)  # between two requests, where the API answers at once; bounded
        raise AssertionError(f"{run_id} did not get there: {seen}")


def await_condition(condition: Callable[[], bool], seen: Callable[[], str] = lambda: "not in time") -> None:
    """Wait until the condition holds; `seen` says what there was instead."""
    deadline = time.monotonic() + RUN_S
    while not condition():
        assert time.monotonic() < deadline, seen()
        time.sleep(0.1)  # polling what other processes do; bounded by the deadline


def give_image(engine: Engine, archives: Path, volume: str = f"{PROJECT}_worker") -> None:
    """Put the image of servers and tools, which an earlier test has built, into the worker's volume."""
    folder = engine.volumes / volume / "_data" / "images"
    folder.mkdir(mode=0o700, exist_ok=True)
    for archive in archives.glob("plimsoll-bench-*.tar"):
        shutil.copy(archive, folder / archive.name)
