"""The versions of an engine are kept up to date."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from worker.engine.docker_engine import PING_TIMEOUT_S, DockerEngine


@dataclass
class Api:
    """The part of docker-py's client that `answers` and `version` use; `running` is the daemon's version."""

    running: str = "27.1.1"
    asked: int = 0
    base_url: str = "http+docker://localhost"
    timeout: int = 60
    api: Api = field(init=False)

    def __post_init__(self) -> None:
        self.api = self

    def get(self, url: str, timeout: float) -> SimpleNamespace:
        assert (url, timeout) == ("http+docker://localhost/_ping", PING_TIMEOUT_S)
        return SimpleNamespace(ok=True, headers={"Server": f"Docker/{self.running} (linux)"})

    def version(self) -> dict[str, object]:
        self.asked += 1
        return {"Version": self.running, "ApiVersion": "1.46", "KernelVersion": "6.1", "Components": []}


def engine(tmp_path: Path, api: Api) -> DockerEngine:
    place = tmp_path / "docker.sock"
    place.touch()
    made = DockerEngine(str(place))
    made._connected = made._connected_quick = api
    return made


def test_another_daemon_at_the_same_socket_changes_the_versions(tmp_path: Path) -> None:
    api = Api()
    docker = engine(tmp_path, api)
    versions = docker.versions_with("sha256:1")
    assert docker.answers()
    assert versions["docker"] == "27.1.1"
    api.running = "27.2.0"
    assert docker.answers()
    assert (versions["docker"], versions["image id"]) == ("27.2.0", "sha256:1")


def test_the_versions_of_one_daemon_are_read_once(tmp_path: Path) -> None:
    """The daemon starts two programs to answer; a ping starts none."""
    api = Api()
    docker = engine(tmp_path, api)
    docker.versions_with("sha256:1")
    assert all(docker.answers() for _ in range(5))
    assert api.asked == 1
