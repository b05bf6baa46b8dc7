"""Cells on a host's own daemon, which is used as it is."""

from __future__ import annotations

import pytest

from backend.core.topology.feasible import HOST_ENGINE_PATHS, infeasible
from tests.live.conftest import levels_of, trial
from tests.live.kinds import full_unless
from tests.live.two_hosts.pair import TwoHosts
from worker.engine.host import inspect_host
from worker.host.capabilities import ProbeInput, probe


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=full_unless(path == "published_loopback")) for path in HOST_ENGINE_PATHS],
)
def test_the_hosts_own_daemon_is_measured_unchanged(two_hosts: TwoHosts, path: str) -> None:
    _, state = inspect_host(two_hosts.daemons[1].names.docker_socket, "bedb")
    found = probe(ProbeInput("bedb", two_hosts.ledgers[1], host=state))
    assert "host" in found["engines"], found["reasons"]
    assert found["host_userland_proxy"] is False, "detected, not assumed"
    wrong = infeasible(levels_of(path, True, engine="host"), found)
    assert wrong is not None and wrong.code == "host_engine_setting"
    record = trial(two_hosts.beds[1], path, False, engine="host")
    assert record.evidence.verdict == "proven", record.evidence.sentence
