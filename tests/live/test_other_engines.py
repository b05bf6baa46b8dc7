"""Cells on other engines than the two standard ones: a registered program, and the host's own daemon."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.topology.feasible import HOST_ENGINE_PATHS, infeasible
from backend.core.topology.model import Relay
from tests.live.conftest import levels_of, measured, trial
from tests.live.folders import forget_engines, give_images
from worker.engine.docker_engine import DockerEngine
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import InstallPaths, engine_names
from worker.engine.segment import Segment
from worker.host.ledger import Ledger
from worker.topology.testbed import RELAY, Testbed


def test_a_registered_program_replaces_docker_proxy(testbed: Testbed) -> None:
    levels = levels_of("published_loopback", True, proxy_program=RELAY, service="pong")
    measurement = measured(testbed, levels)
    record, seen = measurement.record, measurement.observation
    assert record is not None and seen is not None
    assert record.evidence.verdict == "proven", record.evidence.sentence
    assert seen.relays[Relay.DOCKER_PROXY] > 0
    assert {p.name for p in record.processes if p.role == "proxy"} == {Path(testbed.program(RELAY)).name[:15]}


def test_an_engine_that_died_is_started_again(testbed: Testbed) -> None:
    levels = levels_of("published_loopback", True, service="pong")
    trial(testbed, "shared_namespace", True)
    before = testbed.setup(levels)
    before.close()
    pid = before.deployment.handle.pid
    os.kill(pid, signal.SIGKILL)
    record = trial(testbed, "published_loopback", True, service="pong")
    assert record.evidence.verdict == "proven", record.evidence.sentence
    after = testbed.setup(levels)
    after.close()
    assert after.deployment.handle.pid != pid
    other = trial(testbed, "shared_namespace", True)
    assert other.evidence.verdict == "proven", "servers that stood beside it are made anew too"


def test_the_workers_of_a_reverse_proxy_are_counted_separately(testbed: Testbed) -> None:
    record = trial(testbed, "nginx_stream", True, front_workers=2, clients=8, service="pong")
    workers = [p for p in record.processes if p.name == "nginx worker"]
    assert 1 <= len(workers) <= 2
    assert sum(p.seconds for p in workers) == pytest.approx(record.cpu.roles["proxy"], rel=0.15)


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A daemon in place of the host's own, with userland-proxy off; returns its socket."""
    folder = tmp_path_factory.mktemp("standin")
    ledger = Ledger(folder / "ledger.jsonl")
    segment = Segment("standin", ledger)
    names = engine_names(InstallPaths("standin", Path("/run/plimsoll-standin"), folder), "on")
    engine = LabEngine(names, ledger, LabSettings(userland_proxy=False), segment)
    engine.start()
    try:
        yield names.docker_socket
    finally:
        engine.stop()
        segment.stop()


@pytest.fixture(scope="module")
def host_testbed(install: InstallPaths, testbed: Testbed, stand_in: Path) -> Iterator[Testbed]:
    """A testbed that uses the stand-in as the host's own daemon, with the session's image."""
    own = InstallPaths("hosttest", Path("/run/plimsoll-hosttest"), install.var.parent / "live-host")
    give_images(own.var, install)
    made = Testbed(own, print, host_socket=stand_in)
    made.start()
    yield made
    made.stop()
    forget_engines(own.var)


@pytest.mark.parametrize("path", HOST_ENGINE_PATHS)
def test_the_hosts_own_daemon_is_measured_unchanged(host_testbed: Testbed, path: str) -> None:
    found = host_testbed.capabilities()
    assert "host" in found["engines"], found["reasons"]
    assert found["host_userland_proxy"] is False, "detected, not assumed"
    wrong = infeasible(levels_of(path, True, engine="host"), found)
    assert wrong is not None and wrong.code == "host_engine_setting"
    record = trial(host_testbed, path, False, engine="host")
    assert record.evidence.verdict == "proven", record.evidence.sentence


def test_the_hosts_daemon_is_cleaned_up(host_testbed: Testbed, stand_in: Path) -> None:
    trial(host_testbed, "container_address", False, engine="host")
    host_testbed.stop()
    docker = DockerEngine(str(stand_in))
    try:
        assert docker.client.containers.list(all=True) == []
        assert {network.name for network in docker.client.networks.list()} == {"bridge", "host", "none"}
        assert docker.client.images.list() == []
        assert docker.client.volumes.list() == []
    finally:
        docker.close()
