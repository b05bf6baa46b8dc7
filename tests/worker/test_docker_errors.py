"""Every error of Docker and requests is mapped to one of our own, with the failed action."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests
import urllib3
from docker.errors import APIError, DockerException, NotFound

from backend.core.errors import EngineUnavailable, ProcessLost
from worker.engine.docker_engine import DockerEngine
from worker.engine.docker_errors import docker_errors
from worker.engine.protocol import Container, ContainerSpec, NetworkSpec
from worker.trial.faults import fault_of

SPEC = ContainerSpec("server", "bench:test", ("pong",), "bench", 1024)
CONTAINER = Container("id", "server", 1, None, None)
VERBS: dict[str, Callable[[DockerEngine], object]] = {
    "version": lambda engine: engine.version(),
    "image_id": lambda engine: engine.images.id_of("bench:test"),
    "environment_of": lambda engine: engine.images.environment("bench:test"),
    "load_image": lambda engine: engine.images.load("/dev/null", "bench:test"),
    "import_base": lambda engine: engine.images.import_base("/dev/null", "base:test"),
    "build": lambda engine: engine.images.build("/", "a:b", "base", print),
    "save": lambda engine: engine.images.save("a:b", Path("/dev/null")),
    "ensure_network": lambda engine: engine.ensure_network(NetworkSpec("bench")),
    "create": lambda engine: engine.create(SPEC),
    "describe": lambda engine: engine.describe("server"),
    "execute": lambda engine: engine.execute(CONTAINER, ["true"]),
    "restart": lambda engine: engine.restart("server"),
    "remove": lambda engine: engine.remove("server"),
    "remove_everything": lambda engine: engine.remove_everything(),
    "inspect": lambda engine: engine.inspect("server"),
}
ERRORS: dict[str, Exception] = {
    "docker": DockerException("no daemon"),
    "refused": requests.ConnectionError("connection refused"),
    "late": requests.ReadTimeout("read timed out"),
    "torn": urllib3.exceptions.ProtocolError("connection broken"),
    "pipe": BrokenPipeError("broken pipe"),
    "server_error": APIError("500", response=SimpleNamespace(status_code=500), explanation="no space"),  # type: ignore[arg-type]
}


class Raising:
    """A client whose every method raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name in ("containers", "images", "networks", "volumes", "api"):
            return self
        raise self._error


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_maps_each_error(
    verb: str, error: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(DockerEngine, "_connect", lambda *_: Raising(error))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineUnavailable) as raised:
        VERBS[verb](DockerEngine("/nowhere.sock"))
    assert ": " in str(raised.value) and raised.value.retry


def test_an_unreachable_daemon_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DockerEngine, "_connect", lambda *_: Raising(requests.ReadTimeout("late")))
    assert not DockerEngine("/dev/null").answers()


@pytest.mark.parametrize("status", [404, 409])
def test_a_command_in_a_container_that_has_ended_is_a_lost_process(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = APIError("x", response=SimpleNamespace(status_code=status), explanation="not running")  # type: ignore[arg-type]
    monkeypatch.setattr(DockerEngine, "_connect", lambda *_: Raising(gone))
    with pytest.raises(ProcessLost, match="server no longer runs: not running"):
        DockerEngine("/nowhere.sock").execute(CONTAINER, ["true"])


def test_an_error_of_our_own_is_not_changed() -> None:
    with pytest.raises(ProcessLost, match=r"^gone$"), docker_errors("x"):
        raise ProcessLost("gone")
    assert fault_of(ProcessLost("gone"), None).code == "process_lost"


def test_removing_a_missing_container_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = NotFound("404", response=SimpleNamespace(status_code=404), explanation="No such container")  # type: ignore[arg-type]
    for name in ("client", "quick"):
        monkeypatch.setattr(DockerEngine, name, Raising(gone))
    engine = DockerEngine("/nonexistent/docker.sock")
    engine.remove("server")
    with pytest.raises(EngineUnavailable, match="No such container"):
        engine.inspect("server")
