"""Cells on other engines than the two standard ones: a registered program, and one that died."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from backend.core.topology.model import Relay
from tests.live.conftest import levels_of, measured, trial
from worker.topology.testbed import RELAY, Testbed


def test_a_registered_program_replaces_docker_proxy(testbed: Testbed) -> None:
    levels = levels_of("published_loopback", True, proxy_program=RELAY, service="pong")
    measurement = measured(testbed, levels)
    record, seen = measurement.record, measurement.observation
    assert record is not None and seen is not None
    assert record.evidence.verdict == "proven", record.evidence.sentence
    assert seen.relays[Relay.DOCKER_PROXY] > 0
    assert {p.name for p in record.processes if p.role == "proxy"} == {Path(testbed.program(RELAY)).name[:15]}


@pytest.mark.full
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


@pytest.mark.full
def test_the_workers_of_a_reverse_proxy_are_counted_separately(testbed: Testbed) -> None:
    record = trial(testbed, "nginx_stream", True, front_workers=2, clients=8, service="pong")
    workers = [p for p in record.processes if p.name == "nginx worker"]
    assert 1 <= len(workers) <= 2
    assert sum(p.seconds for p in workers) == pytest.approx(record.cpu.roles["proxy"], rel=0.15)
